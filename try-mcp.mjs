import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
const key = process.env.KEY, url = new URL('http://127.0.0.1:41200/mcp');
const mode = process.argv[2] ?? 'auto';
const client = new Client({ name: 'try', version: '1' }, { versionNegotiation: { mode: mode === 'auto' ? 'auto' : mode === 'legacy' ? 'legacy' : { pin: mode } } });
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'X-API-Key': key } } }));
console.log('version', client.getNegotiatedProtocolVersion?.(), client.getServerVersion());
const { tools } = await client.listTools();
console.log(tools.map(t => t.name), JSON.stringify(tools).length, 'descr', tools.map(t=>t.name+t.description).join('').length);
if (process.argv[3]) { const r = await client.callTool({ name: process.argv[3], arguments: JSON.parse(process.argv[4] ?? '{}') }); console.log(r.isError, r.content[0].text.slice(0, +(process.argv[5] ?? 3000))); console.log(JSON.stringify(r).length, Object.keys(r.structuredContent ?? {})); }
else { console.log(JSON.stringify(tools[2]).slice(0,6000)); console.log(await client.listResources()); for (const u of ['waterdata://glossary','waterdata://vocabulary']) console.log((await client.readResource({uri:u})).contents[0].text.slice(0,800)); }
await client.close();

// A proxy in front of the service that produces faults: node faults.mjs ADDRESS. POST /faults sets a list of rules
// {match, times, status, headers, body, cutAfter, run, oncePerPath}. The first rule applies whose `match` occurs in the
// path of a request and that was applied fewer than `times` times; with `oncePerPath`, it applies once to each path.
// GET /seen lists the requests.

import { execFileSync } from 'node:child_process';
import http from 'node:http';

const service = new URL(process.argv[2]);
let rules = [];
let seen = [];

function ruleFor(path) {
  const rule = rules.find(
    ({ match, times = 1e9, paths = [] }) => path.includes(match) && times > 0 && !paths.includes(path),
  );
  if (rule === undefined) return undefined;
  if (rule.oncePerPath) rule.paths = [...(rule.paths ?? []), path];
  rule.times = (rule.times ?? 1e9) - 1;
  return rule;
}

function readBody(message) {
  return new Promise((resolve) => {
    const chunks = [];
    message.on('data', (chunk) => chunks.push(chunk));
    message.on('end', () => resolve(Buffer.concat(chunks)));
  });
}

function passOn(request, response, cutAfter, form) {
  const { hostname, port } = service;
  const headers = { ...request.headers, host: service.host };
  const { method, url: path } = request;
  const sent = http.request({ hostname, port, method, path, headers }, async (answer) => {
    const body = await readBody(answer);
    const { 'transfer-encoding': _, ...rest } = answer.headers;
    response.writeHead(answer.statusCode, { ...rest, 'content-length': String(body.length) });
    if (cutAfter === undefined || cutAfter >= body.length) return response.end(body);
    response.write(body.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20));
  });
  sent.end(form);
}

const server = http.createServer(async (request, response) => {
  if (request.url === '/faults') {
    rules = JSON.parse(await readBody(request));
    seen = [];
    return response.end();
  }
  if (request.url === '/seen') return response.end(JSON.stringify(seen));
  const { 'x-api-key': key = null, range = null } = request.headers;
  const form = await readBody(request);
  seen.push({ path: request.url, key, range, form: form.toString() });
  const rule = ruleFor(request.url);
  if (rule?.run) execFileSync(rule.run[0], rule.run.slice(1));
  if (rule?.status === undefined) return passOn(request, response, rule?.cutAfter, form);
  response.writeHead(rule.status, rule.headers ?? {});
  response.end(rule.body ?? '');
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

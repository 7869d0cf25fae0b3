// Parses Bicep files with the grammar of tree-sitter-bicep, and prints the position of each syntax error: node
// check-grammar.mjs [FILE...], by default all .bicep files in this folder. The grammar does not support parameter files
// (.bicepparam). Needs the packages of this folder: npm --prefix infra ci --ignore-scripts

import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';

const folder = import.meta.dirname;
const files = process.argv.length > 2 ? process.argv.slice(2) : globSync('{.,modules}/*.bicep', { cwd: folder }).sort();

await Parser.init();
const parser = new Parser();
// The grammar's WebAssembly build, so that the installation compiles nothing.
const grammar = createRequire(import.meta.url).resolve('tree-sitter-bicep/tree-sitter-bicep.wasm');
parser.setLanguage(await Language.load(grammar));

const faults = files.flatMap((file) =>
  faultsOf(file, parser.parse(readFileSync(resolve(folder, file), 'utf8')).rootNode),
);
for (const fault of faults) console.log(fault);
console.log(`${files.length} files read, ${faults.length} faults`);
process.exitCode = faults.length === 0 && files.length > 0 ? 0 : 1;

function faultsOf(file, node) {
  const { row, column } = node.startPosition;
  const here = node.isError || node.isMissing ? [`${file}:${row + 1}:${column + 1}: ${node.type}`] : [];
  return [...here, ...node.children.flatMap((child) => faultsOf(file, child))];
}

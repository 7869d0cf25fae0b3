// How jest takes TypeScript, and packages that are published as ES modules only (jest.config.js): as CommonJS, without a
// check of types. The compiler takes longer to load than most tests, so only a file that has changed loads it.

const { hash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { version } = require('typescript/package.json');

const compilerOptions = {
  target: 'es2023',
  module: 'commonjs',
  moduleResolution: 'node10',
  ignoreDeprecations: '6.0',
  esModuleInterop: true,
  allowJs: true,
  isolatedModules: true,
  sourceMap: true,
};

const own = version + readFileSync(module.filename, 'utf8');

module.exports = {
  getCacheKey: (source, fileName) => hash('sha1', `${own}${fileName}${source}`),
  process: (source, fileName) => {
    const { convertCompilerOptionsFromJson, transpileModule } = require('typescript');
    const { options } = convertCompilerOptionsFromJson(compilerOptions, module.path);
    const { outputText, sourceMapText } = transpileModule(source, { fileName, compilerOptions: options });
    return { code: outputText, map: sourceMapText };
  },
};

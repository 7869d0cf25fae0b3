// How jest takes TypeScript, and packages that are published as ES modules only (jest.config.js): as CommonJS, line by
// line, without a check of types. Sucrase takes a seventh of the time of the compiler, which a first run feels.

const { hash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { transform } = require('sucrase');
const { version } = require('sucrase/package.json');

const own = version + readFileSync(module.filename, 'utf8');

module.exports = {
  getCacheKey: (source, filePath) => hash('sha1', `${own}${filePath}${source}`),
  process: (source, filePath) => {
    const sourceMapOptions = { compiledFilename: filePath };
    const options = { transforms: ['typescript', 'imports'], disableESTransforms: true, filePath, sourceMapOptions };
    const { code, sourceMap: map } = transform(source, options);
    return { code, map };
  },
};

// What tests import as fast-check (jest.config.js): the same cases in every run, and others in each round of the soak.

const { env } = require('node:process');
const fastCheck = require('../node_modules/fast-check/lib/cjs/fast-check');

fastCheck.configureGlobal({ seed: Number(env['SOAK_SEED'] ?? 20_261_126) });

module.exports = fastCheck;

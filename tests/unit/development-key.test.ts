// The development key is stored in the data directory. If that is not possible, the service starts without one.

import fs, { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDevelopmentKey } from '../../host/local-service';
import { readSettings } from '../../shared/settings';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const settings = readSettings({ WATER_DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1' }, folder);
const path = join(folder, 'data', 'development-key');

afterEach(() => {
  jest.restoreAllMocks();
});

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'])('there is no key if storing it fails with %s', (code) => {
  jest.spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw Object.assign(new Error(`${code}: not written`), { code });
  });
  expect(findDevelopmentKey(settings)).toBeUndefined();
  expect(existsSync(path)).toBe(false);
});

test('the key is stored as soon as possible, even after a write that left an empty file', () => {
  fs.mkdirSync(join(folder, 'data'), { recursive: true });
  fs.writeFileSync(path, '');
  const key = findDevelopmentKey(settings);
  expect(readFileSync(path, 'utf8')).toBe(`${key ?? ''}\n`);
  expect(findDevelopmentKey(settings)).toBe(key);
});

test('any other failure is reported', () => {
  fs.rmSync(path);
  jest.spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw new Error('broken');
  });
  expect(() => findDevelopmentKey(settings)).toThrow('broken');
});

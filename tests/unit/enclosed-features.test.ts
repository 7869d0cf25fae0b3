// The body of an answer is the same whether it is sent from where its features were written or copied.

import { BufferPool, ScratchMemory } from '../../shared/answer/buffer-pool';
import { FeatureSizes } from '../../shared/answer/features/feature-sizes';
import { encloseFeatures, FeatureTextsWriter, type FeatureText } from '../../shared/answer/features/feature-texts';
import type { JoinedFragments } from '../../shared/store/port';

const MEGABYTE = 1024 * 1024;

/** As JSON. */
const LONG_GEOMETRY = Buffer.from('{"type":"Point","coordinates":[1,2]}');

interface Written {
  readonly scratch: ScratchMemory;
  readonly features: readonly FeatureText[];
}

/** Features of about a kilobyte each, in memory for `expected` bytes. */
function write(count: number, expected: number, longAt = -1): Written {
  const scratch = new ScratchMemory(new BufferPool(64 * MEGABYTE));
  const writer = new FeatureTextsWriter(expected, scratch.allocate);
  const { target } = writer;
  for (let number = 0; number < count; number++) {
    writer.add({
      writeId: () => {
        target.text(String(number));
      },
      writeGeometry: () => {
        if (number === longAt) return fragmentOf(LONG_GEOMETRY);
        target.text('null');
        return undefined;
      },
      writeProperties: () => {
        target.text(`"text":"${'☂'.repeat(300)}"`);
      },
    });
  }
  return { scratch, features: writer.features() };
}

function fragmentOf(bytes: Buffer): JoinedFragments {
  const copyTo: JoinedFragments['copyTo'] = (target, offset) => {
    target.set(bytes, offset);
  };
  return { byteLength: bytes.length, copyTo };
}

/** Whether the features read as they were written, and whether the body has the memory that they were written into. */
function enclose({ scratch, features }: Written, before = '{"features":['): readonly [unknown, boolean] {
  const memory = features[0]?.memory.buffer;
  const body = encloseFeatures(features, [before, ']}'], scratch);
  const read = JSON.parse(body.toString()) as { readonly features: readonly { readonly id: number }[] };
  return [read.features.map(({ id }) => id), body.buffer === memory];
}

const numbers = Array.from({ length: 200 }, (_, number) => number);

test('features that stand beside each other are sent from where they were written', () => {
  expect(enclose(write(200, 210_000))).toEqual([numbers, true]);
});

test('the first ones are, where an answer is cut', () => {
  const { scratch, features } = write(210, 210_000);
  expect(enclose({ scratch, features: features.slice(0, 200) })).toEqual([numbers, true]);
});

test.each([
  ['memory that was far too large', () => enclose(write(200, 900_000))],
  ['a long geometry among them', () => enclose(write(200, 210_000, 150))],
  ['a long beginning of the answer', () => enclose(write(200, 210_000), `{"a":"${'x'.repeat(5000)}","features":[`)],
])('they are copied with %s', (_, enclosed) => {
  expect(enclosed()).toEqual([numbers, false]);
});

test('those of two slices and of none are copied', () => {
  const [first, second] = [write(100, 105_000), write(100, 105_000)];
  const both = { scratch: first.scratch, features: [...first.features, ...second.features] };
  expect(enclose(both)).toEqual([[...numbers.slice(0, 100), ...numbers.slice(0, 100)], false]);
  expect(enclose(write(0, 105_000))).toEqual([[], false]);
});

test('features are expected to take what recent ones took at most, and some more', () => {
  const sizes = new FeatureSizes();
  sizes.became('a', 1_000_000, 500_000);
  sizes.became('a', 1_000_000, 400_000);
  sizes.became('a', 1000, 900_000);
  const expected = sizes.expected('a', 2_000_000);
  expect(expected).toBeGreaterThan(1_000_000);
  expect(expected).toBeLessThan(1_100_000);
  for (let page = 0; page < 100; page++) sizes.became('a', 1_000_000, 400_000);
  expect(sizes.expected('a', 2_000_000)).toBeLessThan(900_000);
  expect(sizes.expected('b', 2_000_000)).toBeGreaterThan(4_000_000);
});

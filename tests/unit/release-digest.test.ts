// The digest that names a release depends on its records and the lookups to which they refer, and not on how they were
// added.

import { LookupDigests, ReleaseDigest } from '../../data-loaders/build/release-digests';

const identity = {
  dataSet: 'SiteVariableAmounts',
  statement: { contact: null, termsOfUse: null, license: null, citation: null },
  organization: {
    OrganizationUUID: 'O1',
    OrganizationName: 'Wasserb\u00fcro',
    OrganizationPurview: null,
    OrganizationWebsite: null,
    OrganizationPhoneNumber: null,
    OrganizationContactName: null,
    OrganizationContactEmail: null,
    OrganizationState: 'UT',
    State: 'Utah',
    OrganizationDataMappingURL: null,
  },
} as const;

const NO_LOOKUPS = new Uint8Array();

function nameOf(add: (digest: ReleaseDigest) => void, lookups = NO_LOOKUPS): string {
  const digest = new ReleaseDigest(identity);
  add(digest);
  return digest.finish(lookups);
}

test('records as texts and as bytes give the same name', () => {
  const texts = ['{"Amount":1}', '{"Amount":"\u6c34"}', `{"Text":"${'x'.repeat(1 << 17)}"}`];
  const ofTexts = nameOf((digest) => {
    for (const text of texts) digest.addRecord(text);
  });
  const ofBytes = nameOf((digest) => {
    for (const text of texts) digest.addRecord(Buffer.from(text));
  });
  expect(ofBytes).toBe(ofTexts);
  expect(ofTexts).toMatch(/^[0-9a-f]{32}$/);
});

test('the organization, the terms, the records, their order and their lookups all count', () => {
  const { organization, statement } = identity;
  const other = new ReleaseDigest({ ...identity, organization: { ...organization, OrganizationName: 'Other' } });
  const licensed = new ReleaseDigest({ ...identity, statement: { ...statement, license: 'https://a.example' } });
  const addAll =
    (...texts: readonly string[]) =>
    (digest: ReleaseDigest): void => {
      for (const text of texts) digest.addRecord(text);
    };
  const names = [
    nameOf(addAll()),
    other.finish(NO_LOOKUPS),
    licensed.finish(NO_LOOKUPS),
    nameOf(addAll('1', '2')),
    nameOf(addAll('2', '1')),
    nameOf(addAll('12')),
    nameOf(addAll('1', '2'), Uint8Array.of(1)),
  ];
  expect(new Set(names).size).toBe(names.length);
});

test('only lookups to which a record refers count, in the order of their numbers', () => {
  const digestsOf = (texts: readonly string[], references: readonly number[]): string => {
    const digests = new LookupDigests();
    for (const text of texts) digests.add(text);
    for (const reference of references) digests.addReferences([reference]);
    return Buffer.from(digests.ofReferenced()).toString('hex');
  };
  expect(digestsOf(['a', 'b', 'c'], [2, 0, 2])).toBe(digestsOf(['a', 'c'], [0, 1]));
  expect(digestsOf(['a', 'b'], [])).toBe('');
  const many = Array.from({ length: 3000 }, (_, number) => String(number));
  expect(digestsOf(many, [2999])).toBe(digestsOf(['2999'], [0]));
});

// The header If-None-Match (RFC 9110, section 13.1.2) as browsers, programs and attackers write it.

import { formatEntityTag, matchEntityTags } from '../../shared/http/pipeline/conditional-requests';

const DIGEST = '0123456789abcdef0123456789abcdef';
const TAG = formatEntityTag(DIGEST, 42);

test.each([
  ['the tag', TAG],
  ['the tag as a weak tag', `W/${TAG}`],
  ['the tag among others', `"x", W/"y,z" ,${TAG}, "w"`],
  ['the tag after empty elements', `, ,\t${TAG}`],
  ['the tag without a comma before it', `"x"${TAG}`],
])('matches %s, and reads the total from it', (_, header) => {
  expect(matchEntityTags(header, DIGEST)).toEqual({ total: 42 });
});

test.each(['*', ' * '])('matches any answer with "%s"', (header) => {
  expect(matchEntityTags(header, DIGEST)).toEqual({ total: undefined });
});

test.each([
  ['an empty header', ''],
  ['a different tag', `"${'f'.repeat(32)}-42"`],
  ['a tag without a total', `"${DIGEST}"`],
  ['a tag with a different ending', `"${DIGEST}-x"`],
  ['a tag with an impossible total', `"${DIGEST}-${'9'.repeat(30)}"`],
  ['a tag without quotes', TAG.replaceAll('"', '')],
  ['a tag without its last quote', TAG.slice(0, -1)],
  ['a tag after something that is not a tag', `x, ${TAG}`],
  ['a tag with a lower-case w', `w/${TAG}`],
  ['a star in a list of tags', `*, ${TAG.replace('0', '1')}`],
])('does not match %s', (_, header) => {
  expect(matchEntityTags(header, DIGEST)).toBeUndefined();
});

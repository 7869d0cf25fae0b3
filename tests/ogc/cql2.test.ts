// The abstract tests of CQL2 (21-065r2, Annex A), for every collection and queryable, in both encodings.

import fc from 'fast-check';
import { parseCqlText } from '../../shared/query/cql2/parse-text';
import { createOgcService, writeFilterQuery } from '../fixtures/ogc-service';
import { chooseSeed, countCases } from '../fixtures/soak';

const ogc = createOgcService();
type Language = 'cql2-text' | 'cql2-json';

const LANGUAGES = [['cql2-text'], ['cql2-json']] as const;

type QueryableType = 'text' | 'boolean' | 'number' | 'date' | 'geometry';

async function fetchQueryables(id: string, ...types: readonly QueryableType[]): Promise<readonly string[]> {
  const { properties } = (await ogc.get(`/collections/${id}/queryables`)).json;
  const all = Object.entries(properties as Readonly<Record<string, { type?: string; format?: string }>>);
  return all.filter(([, schema]) => types.some((type) => type === getQueryableType(schema))).map(([name]) => name);
}

function getQueryableType({ type = '', format }: { type?: string; format?: string }): string {
  if (format === 'geometry-any') return 'geometry';
  if (format === 'date') return 'date';
  return type === 'string' ? 'text' : type;
}

/** The query string for a filter in text form. In JSON, the query has the same expression tree. */
function queryIn(language: Language, text: string): string {
  const read = parseCqlText(text);
  return language === 'cql2-json' && read.ok
    ? writeFilterQuery(JSON.stringify(read.value), language)
    : writeFilterQuery(text, 'cql2-text');
}

function found(id: string, language: Language, text: string): Promise<readonly number[]> {
  return ogc.findFeatureNumbers(id, queryIn(language, text));
}

async function expectApart(id: string, language: Language, [a, b]: readonly [string, string]): Promise<void> {
  const first = await found(id, language, a);
  const second = await found(id, language, b);
  expect([id, a, b, first.filter((number) => second.includes(number))]).toEqual([id, a, b, []]);
}

/** Four predicates of a collection, combined as the standard requires. */
async function expectCombinationsEvaluated(
  predicates: ReadonlyMap<string, readonly string[]>,
  numRuns: number,
): Promise<void> {
  const combination = fc.constantFrom(...ogc.ids).chain((id) => {
    const predicate = fc.constantFrom(...(predicates.get(id) ?? []));
    return fc.tuple(fc.constant(id), predicate, predicate, predicate, predicate);
  });
  await fc.assert(
    fc.asyncProperty(combination, async ([id, a, b, c, d]) => {
      const text = `((NOT ${a} AND ${b}) OR (${c} and NOT ${d}) or not (${a} AND ${d}))`;
      // Each predicate may be true, false or unknown, so no more can be said about a combination.
      expect(await found(id, 'cql2-json', text)).toEqual(await found(id, 'cql2-text', text));
    }),
    { numRuns, seed: chooseSeed(15) },
  );
}

const VALUES = { text: "'foo'", boolean: 'TRUE', number: '3.14', date: "DATE('2001-06-01')" } as const;
const COMPARED = Object.keys(VALUES) as readonly (keyof typeof VALUES)[]; // The keys of the object literal.

describe('cql2/1.0/conf/basic-cql2', () => {
  test('/conf/basic-cql2/basic-test: each collection has typed queryables', async () => {
    for (const id of ogc.ids) {
      const { properties } = (await ogc.get(`/collections/${id}/queryables`)).json;
      const described = await fetchQueryables(id, ...COMPARED, 'geometry');
      expect(described).toEqual(expect.arrayContaining(Object.keys(properties)));
      expect((await fetchQueryables(id, 'text')).length).toBeGreaterThan(0);
    }
  });

  test.each(LANGUAGES)('/conf/basic-cql2/comparison: each of the six operators, in %s', async (language) => {
    for (const id of ogc.ids) {
      for (const type of COMPARED) {
        for (const name of await fetchQueryables(id, type)) {
          for (const [one, other] of [
            ['=', '<>'],
            ['>', '<='],
            ['<', '>='],
          ] as const) {
            await expectApart(id, language, [`${name} ${one} ${VALUES[type]}`, `${name} ${other} ${VALUES[type]}`]);
          }
        }
      }
    }
  });

  test.each(LANGUAGES)('/conf/basic-cql2/is-null: finds missing and present values, in %s', async (language) => {
    for (const id of ogc.ids) {
      for (const name of await fetchQueryables(id, ...COMPARED, 'geometry')) {
        await expectApart(id, language, [`${name} IS NULL`, `${name} is not null`]);
      }
    }
  });

  test.each(LANGUAGES)('/conf/basic-cql2/boolean: true finds everything and false nothing, in %s', async (language) => {
    for (const id of ogc.ids) {
      expect([await found(id, language, 'true'), await found(id, language, 'false')]).toEqual([[1, 2, 3], []]);
    }
  });

  test.each<[string, string, readonly number[]]>([
    ['sites', "SiteTypeCV = 'foo'", [1]],
    ['sites', "SiteTypeCV <> 'foo'", [2]],
    ['sites', "SiteTypeCV >= 'FOOT'", [1, 2]],
    ['sites', "SiteTypeCV < 'foo' AND County IS NOT NULL", [2]],
    ['site-amounts', 'Amount <= 7', [1, 3]],
    ['site-amounts', 'Amount > 3.14 AND Amount < 50', [3]],
    ['site-amounts', "TimeframeStart = DATE('2005-01-01')", [2]],
    ['site-amounts', 'TimeframeEnd IS NULL', [3]],
    ['aggregated-amounts', "TimeframeEnd >= TIMESTAMP('2001-12-31T00:00:00Z')", [1, 2]],
    ['allocations', 'ExemptOfVolumeFlowPriority = true', [1]],
    ['allocations', 'ExemptOfVolumeFlowPriority < TRUE', [2]],
    ['allocations', 'ExemptOfVolumeFlowPriority >= FALSE', [1, 2]],
    ['allocations', "AllocationPriorityDate <> DATE('2001-06-01')", [2]],
    ['reporting-units', "ReportingUnitUUID > 'RU1'", [2, 3]],
  ])('/conf/basic-cql2/test-data: %s where %s', async (id, text, expected) => {
    for (const [language] of LANGUAGES) expect(await found(id, language, text)).toEqual(expected);
  });

  test.each<[string, string, readonly number[]]>([
    ['sites', "(NOT (SiteTypeCV = 'foo') AND County = 'bar') OR (TRUE and FALSE) or not (State = 'UT')", [2]],
    ['site-amounts', 'NOT (Amount > 3.14 OR TimeframeStart IS NULL)', [1]],
    ['allocations', 'NOT ExemptOfVolumeFlowPriority = TRUE OR AllocationFlow_CFS IS NOT NULL', [1, 2]],
  ])('/conf/basic-cql2/logical: %s where %s', async (id, text, expected) => {
    for (const [language] of LANGUAGES) expect(await found(id, language, text)).toEqual(expected);
  });
});

describe('cql2/1.0/conf/advanced-comparison-operators', () => {
  test.each(LANGUAGES)('/conf/advanced-comparison-operators/like: patterns of each text, in %s', async (language) => {
    for (const id of ogc.ids) {
      for (const name of await fetchQueryables(id, 'text')) {
        await expectApart(id, language, [`${name} like '_%'`, `${name} like ''`]);
        expect(await found(id, language, `${name} LIKE '%'`)).toEqual(await found(id, language, `${name} like '%%'`));
        expect(await found(id, language, String.raw`${name} like '\%\_'`)).toEqual([]);
      }
    }
  });

  test.each(LANGUAGES)('/conf/advanced-comparison-operators/between: of each number, in %s', async (language) => {
    for (const id of ogc.ids) {
      for (const name of await fetchQueryables(id, 'number')) {
        const within = await found(id, language, `${name} BETWEEN 0 AND 10`);
        expect(within.includes(1) || within.length === 0).toBe(true);
        expect(await found(id, language, `${name} between 100.0 and 1.0`)).toEqual([]);
      }
    }
  });

  test.each(LANGUAGES)('/conf/advanced-comparison-operators/in: of each queryable, in %s', async (language) => {
    const lists = {
      text: "('foo', 'bar')",
      number: '(1, 2, 3)',
      boolean: '(true)',
      date: "(DATE('2001-06-01'), DATE('2005-06-01'))",
    };
    for (const id of ogc.ids) {
      for (const type of COMPARED) {
        for (const name of await fetchQueryables(id, type)) {
          await expectApart(id, language, [`${name} IN ${lists[type]}`, `${name} NOT IN ${lists[type]}`]);
        }
      }
    }
    expect(await found('allocations', language, "AllocationPriorityDate in (DATE('2001-06-01'))")).toEqual([1]);
  });

  test('/conf/advanced-comparison-operators/test-data: intervals, patterns and their negations', async () => {
    expect(await found('sites', 'cql2-text', "SiteTypeCV BETWEEN 'FOO' AND 'FOOZ'")).toEqual([2]);
    expect(await found('sites', 'cql2-text', "SiteTypeCV NOT BETWEEN 'FOO' AND 'FOOZ'")).toEqual([1]);
    expect(await found('sites', 'cql2-text', "SiteTypeCV LIKE 'F%T'")).toEqual([2]);
    expect(await found('sites', 'cql2-text', "SiteTypeCV NOT LIKE 'f_o'")).toEqual([2]);
  });

  test('/conf/advanced-comparison-operators/logical: drawn combinations of predicates are evaluated', async () => {
    const predicates = new Map<string, readonly string[]>();
    for (const id of ogc.ids) {
      const names = await Promise.all(COMPARED.map(async (type) => [type, await fetchQueryables(id, type)] as const));
      const drawn = names.flatMap(([type, some]) =>
        some.flatMap((name) => [`${name} = ${VALUES[type]}`, `${name} > ${VALUES[type]}`, `${name} IS NULL`]),
      );
      predicates.set(id, [...drawn, 'S_INTERSECTS(geometry, BBOX(-112, 40, -111, 41))', "CASEI(State) LIKE 'u_'"]);
    }
    await expectCombinationsEvaluated(predicates, countCases(20_000, 0.0025));
  }, 1_800_000);
});

describe('cql2/1.0/conf/case-insensitive-comparison', () => {
  test.each(LANGUAGES)('/conf/case-insensitive-comparison/casei: equal and unequal, in %s', async (language) => {
    for (const id of ogc.ids) {
      for (const name of await fetchQueryables(id, 'text')) {
        await expectApart(id, language, [`CASEI(${name}) = casei('foo')`, `CASEI(${name}) <> casei('FOO')`]);
      }
    }
    expect(await found('sites', language, "CASEI(SiteTypeCV) = casei('FOO')")).toEqual([1]);
    expect(await found('allocations', language, "CASEI(AllocationOwner) = casei('BEAR river co.')")).toEqual([2]);
  });

  test.each(LANGUAGES)('/conf/case-insensitive-comparison/casei-like: patterns, in %s', async (language) => {
    for (const id of ogc.ids) {
      for (const name of await fetchQueryables(id, 'text')) {
        const lower = await found(id, language, `CASEI(${name}) LIKE casei('foo%')`);
        expect(await found(id, language, `CASEI(${name}) LIKE casei('FOO%')`)).toEqual(lower);
      }
    }
    expect(await found('sites', language, "CASEI(SiteTypeCV) LIKE casei('fOO%')")).toEqual([1, 2]);
  });

  test.each([
    ["CASEI(SiteTypeCV) = casei('fOOt')", [2]],
    ["CASEI(SiteTypeCV) LIKE casei('F_o%')", [1, 2]],
    ["CASEI(SiteTypeCV) IN (casei('FOO'), casei('bar'), casei('Foot'))", [1, 2]],
  ])('/conf/case-insensitive-comparison/test-data: sites where %s', async (text, expected) => {
    for (const [language] of LANGUAGES) expect(await found('sites', language, text)).toEqual(expected);
  });

  test('/conf/case-insensitive-comparison/logical: drawn combinations of predicates are evaluated', async () => {
    const predicates = ["CASEI(State) = casei('ut')", "CASEI(State) LIKE casei('u%')", "State = 'UT'", 'State IS NULL'];
    await expectCombinationsEvaluated(new Map(ogc.ids.map((id) => [id, predicates])), 10);
  });
});

describe('cql2/1.0/conf/basic-spatial-functions', () => {
  test.each(LANGUAGES)('/conf/basic-spatial-functions/s_intersects: points and boxes, in %s', async (language) => {
    for (const id of ogc.ids) {
      expect(await found(id, language, 'S_INTERSECTS(geometry, BBOX(-180, -90, 180, 90))')).toEqual([1, 2, 3]);
      expect(await found(id, language, 'S_INTERSECTS(geometry, POINT(7.02 49.92))')).toEqual([]);
      expect(await found(id, language, 'S_INTERSECTS(geometry, POINT(-112 40))')).toEqual([1]);
      const apart = 'S_INTERSECTS(geometry,BBOX(-180,-90,-90,90)) AND S_INTERSECTS(geometry,BBOX(90,-90,180,90))';
      expect(await found(id, language, apart)).toEqual([]);
      const point = { type: 'Point', coordinates: [90, 180] };
      const json = JSON.stringify({ op: 's_intersects', args: [{ property: 'geometry' }, point] });
      for (const query of [
        writeFilterQuery('S_INTERSECTS(geometry, POINT(90 180))'),
        writeFilterQuery(json, 'cql2-json'),
      ]) {
        expect((await ogc.getItems(id, query)).status).toBe(400);
      }
    }
  });

  test.each<[string, readonly number[] | undefined]>([
    ['MULTIPOINT(7.02 49.92, 90 180)', undefined],
    ['MULTIPOINT((-112 40), (-110 42))', [1, 3]],
    ['LINESTRING(-180 -45, 0 -45)', []],
    ['LINESTRING(-112 40, -111 41)', [1, 2]],
    ['MULTILINESTRING((-180 -45, 0 -45), (-111 41, -110 42))', [2, 3]],
    [
      'POLYGON((-113 39, -110.5 39, -110.5 43, -113 43, -113 39), (-111.5 40.5, -110.6 40.5, -110.6 41.5, -111.5 41.5, -111.5 40.5))',
      [1],
    ],
    [
      'MULTIPOLYGON(((-113 39, -111.5 39, -111.5 40.5, -113 39)), ((-110.5 41.5, -109 41.5, -109 43, -110.5 41.5)))',
      [1, 3],
    ],
    ['GEOMETRYCOLLECTION(POINT(-112 40))', undefined],
  ])('/conf/basic-spatial-functions/test-data: features that intersect %s', async (geometry, expected) => {
    for (const id of ogc.ids) {
      const text = `S_INTERSECTS(geometry, ${geometry})`;
      if (expected === undefined) expect((await ogc.getItems(id, writeFilterQuery(text))).status).toBe(400);
      else for (const [language] of LANGUAGES) expect([id, await found(id, language, text)]).toEqual([id, expected]);
    }
  });

  test('/conf/basic-spatial-functions/logical: drawn combinations of predicates are evaluated', async () => {
    const shapes = [
      'POINT(-112 40)',
      'BBOX(-180, -90, -90, 90)',
      'BBOX(-111.5, 40.5, -100, 60)',
      'LINESTRING(0 0, 1 1)',
    ];
    const predicates = [...shapes.map((shape) => `S_INTERSECTS(geometry, ${shape})`), "State = 'UT'"];
    await expectCombinationsEvaluated(new Map(ogc.ids.map((id) => [id, predicates])), 10);
  });
});

describe('cql2/1.0/conf/cql2-text', () => {
  test('/conf/cql2-text/validate: every test above also holds for filters as text', async () => {
    expect((await ogc.getItems('sites', writeFilterQuery('{"op":"isNull"}', 'cql2-text'))).status).toBe(400);
  });

  test('/conf/cql2-text/escaping: quotes are doubled or escaped with a backslash, other characters are literal', async () => {
    for (const text of ["'O''Neil'", String.raw`'O\'Neil'`, "'\u0007\b\t\n\v\f\r'"]) {
      expect(await found('sites', 'cql2-text', `SiteTypeCV = ${text}`)).toEqual([]);
    }
    expect(parseCqlText(String.raw`a = 'O\'N''eil'`)).toMatchObject({
      value: { args: [{ property: 'a' }, "O'N'eil"] },
    });
  });
});

describe('cql2/1.0/conf/cql2-json', () => {
  test('/conf/cql2-json/validate: every test above also holds for filters as JSON', async () => {
    const { status } = await ogc.getItems(
      'sites',
      writeFilterQuery('{"op":"isNull","args":[{"property":"County"}]}', 'cql2-json'),
    );
    expect(status).toBe(200);
    expect((await ogc.getItems('sites', writeFilterQuery('County IS NULL', 'cql2-json'))).status).toBe(400);
  });
});

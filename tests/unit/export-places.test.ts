// How many exports are made at once, over several processes (D46).

import { SharedExportPlaces, OwnExportPlaces } from '../../shared/files/threaded-export';

test('no more are taken than there are, and each that is free is there for anybody', () => {
  const places = new SharedExportPlaces<string>(2);
  expect(['a', 'b', 'a'].map((taker) => places.take(taker))).toEqual([true, true, false]);
  places.free('a');
  expect([places.take('b'), places.take('a')]).toEqual([true, false]);
});

test('whoever ends gives back all of its places, and none of the others', () => {
  const places = new SharedExportPlaces<string>(3);
  for (const taker of ['a', 'b', 'a']) places.take(taker);
  places.freeAll('a');
  places.free('a');
  expect(['c', 'c', 'c'].map((taker) => places.take(taker))).toEqual([true, true, false]);
});

test('a process alone has its own', async () => {
  const places = new OwnExportPlaces(1);
  expect([await places.take(), await places.take()]).toEqual([true, false]);
  places.free();
  expect(await places.take()).toBe(true);
});

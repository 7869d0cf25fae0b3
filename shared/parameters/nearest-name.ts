// The suggestion for a misspelt name (D2).

/** The candidate with the smallest edit distance without regard to case; undefined when there are none. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  // A name of hundreds of characters is no misspelling, and its distance is not worth computing.
  const wanted = name.slice(0, 64).toLowerCase();
  let nearest: string | undefined;
  let smallest = Infinity;
  for (const candidate of candidates) {
    const distance = distanceOf(wanted, candidate.toLowerCase());
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** A name with parts left out (StartDate for StartPriorityDate) is nearer than the count of the missing letters says. */
function distanceOf(wanted: string, candidate: string): number {
  const distance = editDistance(wanted, candidate);
  return wanted.length >= SHORTEST_PART && isSubsequence(wanted, candidate) ? Math.min(distance, LEFT_OUT) : distance;
}

/** Fewer letters are in many names by chance. */
const SHORTEST_PART = 6;

/** More than one slip of the finger, less than two. */
const LEFT_OUT = 1.5;

function isSubsequence(wanted: string, candidate: string): boolean {
  let found = 0;
  for (const character of candidate) if (character === wanted[found]) found++;
  return found === wanted.length;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substituted, at(previous, j) + 1, at(row, j - 1) + 1));
    }
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

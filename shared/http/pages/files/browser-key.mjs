// A key for this browser, so that people can look around before they request their own. Used where the operator issues
// keys instantly (D56). It has no owner, the limits of instant keys, and is kept for later visits.

import { solveChallenge } from './altcha.js';

/* global btoa, isSecureContext, localStorage */

/** The explorer uses the same name. */
const NAME = 'water-data-browser-key';

/** The operator sees these in the list of keys. Nobody can receive mail below .invalid (RFC 2606). */
const OWNER = { Name: 'Browser of a visitor', Email: 'visitor@browser.invalid' };

/** Returns the key of this browser, or else gets one. Empty if the service issues none at the moment. */
export async function getBrowserKey(base, { isNew = false } = {}) {
  const stored = localStorage.getItem(NAME);
  if (stored !== null && !isNew) return stored;
  localStorage.removeItem(NAME);
  // Browsers solve puzzles only over https, or on the own machine.
  if (!isSecureContext) return '';
  try {
    const Proof = await solvePuzzle(await request(base, 'GET', 'Challenge'));
    const { Key } = await request(base, 'POST', 'Requests', { ...OWNER, Proof });
    localStorage.setItem(NAME, Key);
    return Key;
  } catch {
    return '';
  }
}

/** Answers a challenge of the service. */
export async function solvePuzzle({ algorithm, challenge, salt, signature, maxnumber }) {
  const { number } = await solveChallenge(challenge, salt, algorithm, maxnumber).promise;
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
}

async function request(base, method, path, body) {
  const headers = { 'X-Requested-With': 'page', 'Content-Type': 'application/json' };
  const answer = await fetch(`${base}/v1/Keys/${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

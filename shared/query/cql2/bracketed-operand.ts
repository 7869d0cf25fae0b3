// Distinguishes brackets around a single value, such as `(5)` or `((-(5)))`, from brackets around an expression (D70).

import { readToken, type Token } from './tokens';

/** Beyond this number, brackets count as brackets around an expression, so that looking ahead stays cheap. */
const MAX_BRACKETS = 20;

const KEYWORD = /^(?:and|or|not|like|between|in|is|null)$/i;
const FUNCTION_OF_VALUE = /^(?:casei|date|timestamp)$/i;

/** Whether the bracket at an offset encloses a single value. Reads only as far as needed to decide. */
export function isBracketedOperand(text: string, offset: number): boolean {
  let token = readToken(text, offset);
  let openBrackets = 0;
  while (isSymbol(token, '(') || isSymbol(token, '-') || isSymbol(token, '+')) {
    if (isSymbol(token, '(')) openBrackets++;
    if (openBrackets > MAX_BRACKETS) return false;
    token = readToken(text, token.end);
  }
  if (token.kind === 'symbol' || token.kind === 'end') return false;
  if (token.kind === 'word' && KEYWORD.test(token.text)) return false;
  const isFunction = token.kind === 'word' && FUNCTION_OF_VALUE.test(token.text);
  token = readToken(text, token.end);
  if (isFunction && isSymbol(token, '(')) {
    openBrackets++;
    const argument = readToken(text, token.end);
    token = readToken(text, argument.end);
  }
  while (openBrackets > 0 && isSymbol(token, ')')) {
    openBrackets--;
    token = readToken(text, token.end);
  }
  return openBrackets === 0;
}

function isSymbol({ kind, text }: Token, symbol: string): boolean {
  return kind === 'symbol' && text === symbol;
}

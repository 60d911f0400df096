/** Greater than any prefix score. */
const WHOLE_NAME = 10;

/**
 * Scores how well a name matches the query: higher is better, null for no match. Every word of the query must match: as
 * a word prefix (best), inside a word, or as letters in order (`plgr` finds Playground). An exact match ranks first.
 */
export function matchScore(name: string, query: string): number | null {
  const text = name.toLowerCase();
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  let total = words.length > 0 && words.join(" ") === text ? WHOLE_NAME : 0;
  for (const word of words) {
    const score = computeWordScore(text, word);
    if (score === null) return null;
    total += score;
  }
  // If names match equally well, the shorter one ranks higher.
  return total - Math.min(text.length, 200) / 1_000;
}

function computeWordScore(text: string, word: string): number | null {
  const at = text.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) {
    for (let place = at; place !== -1; place = text.indexOf(word, place + 1)) if (startsWord(text, place)) return 3;
    return 2;
  }
  return lettersInOrder(text, word) ? 1 : null;
}

const isLetter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
const startsWord = (text: string, place: number): boolean => !isLetter(text.charAt(place - 1));

/** The first letter must start a word, so that long names do not match everything. */
function lettersInOrder(text: string, word: string): boolean {
  if (word.length < 2) return false;
  for (let start = text.indexOf(word.charAt(0)); start !== -1; start = text.indexOf(word.charAt(0), start + 1)) {
    if (start > 0 && !startsWord(text, start)) continue;
    let place = start;
    for (let letter = 1; letter < word.length && place !== -1; letter += 1) {
      place = text.indexOf(word.charAt(letter), place + 1);
    }
    if (place !== -1) return true;
  }
  return false;
}

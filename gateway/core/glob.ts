/**
 * Whether `text` matches `pattern`, where `*` stands for any run of characters (slashes too) and `?` for exactly one;
 * every other character stands for itself, case included. Takes at most pattern × text steps: there is no pattern that
 * makes it slow, as there is for regular expressions made of a user's text.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const symbol = pattern[next];
    if (symbol === "*") {
      star = next;
      resume = at;
      next += 1;
    } else if (symbol === "?" || symbol === text[at]) {
      next += 1;
      at += 1;
    } else if (star >= 0) {
      // The last star takes one character more. An earlier star never needs to: what it took was a match.
      resume += 1;
      at = resume;
      next = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[next] === "*") next += 1;
  return next === pattern.length;
}

/**
 * Whether a key may use a model.
 * @param allowed ids or globs, in any letter case; null allows every model, an empty list none.
 * @param names the model's public id and the other ids that mean it: one that matches is enough.
 */
export function modelAllowed(allowed: readonly string[] | null, names: readonly string[]): boolean {
  if (allowed === null) return true;
  const folded = names.map((name) => name.toLowerCase());
  return allowed.some((pattern) => folded.some((name) => matchesGlob(pattern.toLowerCase(), name)));
}

/**
 * Whether `text` matches `pattern`, where `*` stands for any run of characters (slashes too) and `?` for exactly one;
 * every other character stands for itself, case included. It takes at most pattern × text steps, so unlike a regular
 * expression no pattern can make it slow.
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
      // Backtrack: the last `*` consumes one more character. Earlier stars need no backtracking, because their match
      // stands.
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

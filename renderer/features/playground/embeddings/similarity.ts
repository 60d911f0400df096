/** How close two vectors are: 1 the same direction, 0 nothing in common, −1 opposite; 0 where one has no length. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let [dot, lengthA, lengthB] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    lengthA += value * value;
    lengthB += other * other;
  }
  const length = Math.sqrt(lengthA) * Math.sqrt(lengthB);
  return length === 0 ? 0 : Math.min(1, Math.max(-1, dot / length));
}

/** Each with each. */
export function similarities(vectors: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return vectors.map((a) => vectors.map((b) => cosine(a, b)));
}

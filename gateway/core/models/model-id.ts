/** A provider's id as the model list shows ids: in lower case, hyphens for spaces and underscores. The rest stays. */
const listedForm = (spelling: string): string => spelling.toLowerCase().replaceAll(/[\s_]+/g, "-");

/**
 * Returns the public ids of models by their providers' spellings.
 * @param spellings spellings of all served models; catalog ids keep theirs.
 * @param taken names already in use, which no model gets unless it is the provider's spelling.
 * @returns each spelling's id: its normalized form, or the spelling itself if two spellings normalize to the same.
 */
export function getPublicIds(spellings: Iterable<string>, taken: ReadonlySet<string>): ReadonlyMap<string, string> {
  const alike = Map.groupBy(new Set(spellings), listedForm);
  const ids = new Map<string, string>();
  for (const [id, group] of alike)
    for (const spelling of group) ids.set(spelling, group.length > 1 || taken.has(id) ? spelling : id);
  return ids;
}

/** Tells whether two spellings have the same normalized form. */
export const isSameId = (one: string, other: string): boolean => listedForm(one) === listedForm(other);

/** Returns a connection's name as a model prefix. */
export function getSlug(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_/]+/g, "-");
}

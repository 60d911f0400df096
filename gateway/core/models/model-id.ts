/** A provider's id as the model list shows ids: in lower case, hyphens for spaces and underscores. The rest stays. */
const listedForm = (spelling: string): string => spelling.toLowerCase().replaceAll(/[\s_]+/g, "-");

/**
 * The public ids of models, by their providers' own spellings.
 * @param spellings of all models that are served; catalog ids are spelled as they are listed.
 * @param taken names that mean something else already: no model is listed by one that its provider does not give it.
 * @returns each spelling's id: its listed form, or the spelling itself where two differ in nothing but that.
 */
export function getPublicIds(spellings: Iterable<string>, taken: ReadonlySet<string>): ReadonlyMap<string, string> {
  const alike = Map.groupBy(new Set(spellings), listedForm);
  const ids = new Map<string, string>();
  for (const [id, group] of alike)
    for (const spelling of group) ids.set(spelling, group.length > 1 || taken.has(id) ? spelling : id);
  return ids;
}

/** Whether two spellings differ in nothing but what the list of models does not show. */
export const isSameId = (one: string, other: string): boolean => listedForm(one) === listedForm(other);

/** A connection's name as it stands in front of its models. */
export function getSlug(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_/]+/g, "-");
}

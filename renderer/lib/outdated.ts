/**
 * Whether the gateway has other pages by now than those that are shown: Postern was updated while they were open.
 * `false` when it cannot be asked.
 */
export async function pagesAreOutdated(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.getAttribute("src");
  if (script === null || script === undefined) return false;
  try {
    const response = await fetch(location.pathname, { cache: "no-store" });
    return response.ok && !(await response.text()).includes(script);
  } catch {
    return false;
  }
}

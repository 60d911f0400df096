/**
 * What a client calls itself: the first product of its User-Agent without the version (`OpenAI/JS 7.55.0` →
 * `OpenAI/JS`, `claude-cli/2.1.329 (external)` → `claude-cli`), so that cost can be told apart by tool.
 */
export function clientName(userAgent: string): string {
  const product = userAgent.trim().split(/\s/, 1)[0] ?? "";
  const name = product
    .replace(/\/v?\d[\w.+-]*$/, "")
    .replace(/[^\w./@ -]/g, "")
    .slice(0, 60);
  return name === "" ? "unknown" : name;
}

import type { Page } from "playwright-core";
import type { RunningGateway } from "./gateway.ts";

type Save = (name: string) => Promise<void>;

const QUESTION = "Why do lighthouses have Fresnel lenses?";

/** Chats of an afternoon: some that were refused, one that still runs. Resolves with what ends that one. */
export async function makeRequests(gateway: RunningGateway): Promise<() => void> {
  const ask = async (model: string, content: string, more: object = {}, signal?: AbortSignal): Promise<Response> =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content }], ...more }),
      ...(signal !== undefined && { signal }),
    });
  for (const [model, content, more] of [
    ["gpt-5.4-mini", "Summarise the notes of Tuesday", {}],
    ["claude-sonnet-4-5", "Write a haiku about fog", { stream: true }],
    ["no-such-model", "Hello", {}],
    ["gpt-5.4", "Review this function: sandbox:error=429", {}],
    ["claude-haiku-4-5", "Translate: the tide is out", { stream: true }],
    ["gpt-5.4-mini", QUESTION, { stream: true }],
  ] as const)
    await (await ask(model, content, more)).text();
  const running = new AbortController();
  void ask("gpt-5.4", "Count slowly sandbox:slow=600000", { stream: true }, running.signal).catch(() => undefined);
  return () => running.abort();
}

/** Switches recording on, as somebody does who looks at the log. */
export async function switchRecordingOn(page: Page, gateway: RunningGateway): Promise<void> {
  await page.goto(await gateway.freshAddress());
  await page.goto(`${gateway.url}/#/requests`);
  await page.getByRole("button", { name: "Not recording" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch recording on" }).click();
  await page.getByText("On: new requests are recorded").waitFor();
}

/** The live log, and one stream with its chunks. */
export async function shootRequests(page: Page, gateway: RunningGateway, save: Save): Promise<void> {
  await page.goto(await gateway.freshAddress());
  await page.goto(`${gateway.url}/#/requests`);
  const rows = page.getByRole("grid", { name: "Requests" }).locator("[data-row]");
  await rows.nth(6).waitFor();
  await save("requests");
  await rows.nth(1).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(QUESTION).first().waitFor();
  await dialog.getByRole("img", { name: /chunks over time/ }).scrollIntoViewIfNeeded();
  await save("request-detail");
}

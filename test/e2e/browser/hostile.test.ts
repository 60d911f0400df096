import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import type { Locator, Page } from "playwright-core";
import { afterEach, expect, it } from "vitest";
import { axeFindings, closeByEscape, copied } from "./browser.ts";
import { placesOf } from "./every-page.ts";
import { asNames, payloads } from "./hostile-payloads.ts";
import { startSeeded, type SeededGateway } from "./hostile-seed.ts";
import { csvRows, formulas, goWithEach, harmlessInShell, intruders, loaded } from "./hostile-watch.ts";
import { useGatewayPages } from "./page-suite.ts";

/**
 * Whatever strangers say, the pages show it as text: nothing runs, nothing loads from elsewhere, nothing opens
 * unclicked, and no word breaks a page. Everything is brought in once; each test walks through a part of the pages.
 */
let seeded: SeededGateway;
const pages = useGatewayPages(async () => {
  seeded = await startSeeded();
  return seeded.gateway;
});
const downloads: string[] = [];
afterEach(() => expect(downloads.splice(0)).toEqual([]));

async function open(place?: string): Promise<Page> {
  const page = await pages.open(place);
  page.removeAllListeners("download");
  page.on("download", (download) => downloads.push(download.suggestedFilename()));
  return page;
}

async function go(page: Page, place: string): Promise<void> {
  await pages.go(page, place);
  await loaded(page);
}

const rows = (page: Page): Locator => page.locator("main [data-row]");
const dialog = (page: Page): Locator => page.getByRole("dialog");

/** Closes the dialog that is open: the next one is another. */
async function close(page: Page): Promise<void> {
  await closeByEscape(dialog(page));
}

it("brought all of it in", () => {
  expect(payloads.length).toBeGreaterThanOrEqual(200);
  expect(seeded.statuses.get("control keys 200")).toBe(asNames.length);
  expect([...seeded.statuses.keys()].filter((name) => / 5\d\d$/.test(name))).toEqual([
    // The provider that refuses its key.
    "/v1/chat/completions 502",
  ]);
  expect(seeded.statuses.get("/v1/chat/completions 502")).toBe(3);
});

it("would notice what is more than text", async () => {
  const page = await open();
  await page.locator("main").evaluate((main) => {
    const link = document.createElement("a");
    link.setAttribute("href", "javascript:1");
    link.setAttribute("onfoo", "1");
    main.append(link, document.createElement("marquee"));
    window.pwned = 1;
  });
  const found = await intruders(page);
  expect(found.map((line) => line.replace(/:.*/s, "")).toSorted()).toEqual([
    "a script ran",
    "address",
    "element",
    "handler",
  ]);
});

it("shows it as text on every page, wide and narrow", async () => {
  const page = await open();
  const all = await placesOf(page);
  expect(all.length).toBeGreaterThanOrEqual(11);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const place of all) {
      await go(page, place);
      expect.soft(await intruders(page), `${place} at ${width} px`).toEqual([]);
    }
  }
});

it("shows requests, tasks, results, models and keys as text in their dialogs", async () => {
  const page = await open();
  const { data: tasks } = await seeded.control<{ data: readonly { id: string }[] }>("GET", "/tasks?limit=500");
  const { data: media } = await seeded.control<{ data: readonly { id: string }[] }>("GET", "/media?limit=500");
  const some = (list: readonly { id: string }[]): readonly string[] =>
    list.filter((_, index) => index % 40 === 0).map(({ id }) => id);
  const dialogs = [
    ...[...seeded.shown.values()].map((id) => `requests?id=${id}`),
    ...some(tasks).map((id) => `tasks?task=${id}`),
    ...some(media).map((id) => `library?media=${id}`),
    ...payloads
      .filter((id, index) => index % 25 === 0 || id.length > 99)
      .map((id) => `models?model=${encodeURIComponent(id)}`),
  ];
  const looked = new Set<string>();
  for (const place of dialogs) {
    await go(page, place);
    await dialog(page).waitFor();
    for (const summary of await dialog(page).locator("summary").all()) await summary.click();
    expect.soft(await intruders(page), place).toEqual([]);
    // Dialogs of one room are made of the same parts: axe looks at the first two of each.
    const room = place.replace(/\?.*/, "");
    if (!looked.has(`${room} again`)) expect.soft(await axeFindings(page, "[role=dialog]"), place).toEqual([]);
    looked.add(looked.has(room) ? `${room} again` : room);
    await close(page);
  }
});

it("opens what a row offers, and comes back, by the keyboard alone", async () => {
  const page = await open();
  for (const place of ["overview", "models", "keys", "requests", "tasks"]) {
    await go(page, place);
    await rows(page).first().focus();
    await page.keyboard.press("j");
    await page.locator("main [data-row][data-active]:focus").waitFor();
    await page.keyboard.press("Enter");
    await dialog(page).waitFor();
    expect.soft(await intruders(page), `a row of ${place}`).toEqual([]);
    await close(page);
    await page.locator("main [data-row][data-active]:focus").waitFor();
  }
});

it("takes any address for a place that it has, or says that it has none", async () => {
  const page = await open();
  const all = await placesOf(page);
  for (const [index, place] of [...all.entries(), [0, ""] as const]) {
    await go(page, place);
    const mine = payloads.filter((_, at) => place === "" || at % (2 * all.length) === index);
    await goWithEach(page, place, mine);
    expect.soft(await intruders(page), `${place} with parameters`).toEqual([]);
  }
  await pages.go(page, "keys");
  await rows(page).first().waitFor();
});

it("shows in the playground whatever a model says, and finds what has an odd name", async () => {
  const page = await open();
  await seeded.unlock();
  await go(page, "playground?kind=chat&model=gpt-4.1");
  const message = page.getByLabel("Message", { exact: true });
  for (const [index, act] of ["say", "stream", "tool", "refuse", "fail"].entries()) {
    await message.fill(`act:${act} <script>window.pwned=1</script>`);
    await message.press("Control+Enter");
    await expect.poll(() => page.getByRole("link", { name: "Request", exact: true }).count()).toBe(index + 1);
    expect.soft(await intruders(page), `chat that answers with ${act}`).toEqual([]);
  }
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("combobox", { name: "Go to a page, or run an action" });
  for (const word of ["<script", "__proto__", "constructor", "\u202E", "=HYPER", "(((", "W".repeat(500)]) {
    await palette.fill(word);
    expect.soft(await intruders(page), `palette with ${word.slice(0, 20)}`).toEqual([]);
  }
  await page.keyboard.press("Escape");
});

it("shows in the playground and in the form of a tool what pictures, vectors and tools come back with", async () => {
  const page = await open();
  await seeded.unlock();
  const texts = payloads.filter((_, index) => index % 20 === 0).map((text) => text.replaceAll(/\s+/g, " "));
  const newest = page.getByRole("region", { name: "Responses" }).getByRole("article").first();
  for (const [kind, model, field, text] of [
    ["image", "gpt-image-1", "Prompt", `${texts[1]} ${payloads[200]}`],
    ["embedding", "text-embedding-3-small", "Texts", texts.join("\n")],
    ["speech", "tts-1", "Text", texts.join(" ")],
  ] as const) {
    await go(page, `playground?kind=${kind}&model=${model}`);
    await page.getByLabel(field, { exact: true }).fill(text);
    await page.getByLabel(field, { exact: true }).press("Control+Enter");
    await newest.getByRole("link", { name: "Request" }).waitFor();
    expect.soft(await intruders(page), `playground: ${kind}`).toEqual([]);
    if (kind !== "image") continue;
    await newest.locator("img").waitFor();
    await newest.getByRole("button", { name: "Edit this" }).first().click();
    await page.getByRole("img", { name: /painted/ }).waitFor();
    expect.soft(await intruders(page), "playground: edit").toEqual([]);
  }
  for (const [tool, input] of [
    ["chat", { model: "gpt-4.1", prompt: "act:say <b>this</b>" }],
    ["chat", { model: "gpt-4.1", prompt: "act:tool" }],
    ["chat", { model: "gpt-4.1", prompt: "act:refuse" }],
    ["chat", { model: "gpt-4.1", prompt: "act:fail" }],
    ["generate_image", { model: "gpt-image-1", prompt: payloads[3] ?? "" }],
    ["list_models", {}],
  ] as const) {
    await go(page, `mcp?tool=${tool}`);
    for (const [name, value] of Object.entries(input)) {
      await dialog(page)
        .getByLabel(new RegExp(`^${name}`))
        .first()
        .fill(value);
    }
    await dialog(page).getByRole("button", { name: "Run", exact: true }).click();
    const result = dialog(page).getByRole("region", { name: "Result", exact: true });
    await result
      .getByText(/^(Took|Failed)/i)
      .first()
      .waitFor();
    for (const summary of await dialog(page).locator("summary").all()) await summary.click();
    expect.soft(await intruders(page), `tool ${tool} with ${JSON.stringify(input)}`).toEqual([]);
    await close(page);
  }
});

it("exports figures that no spreadsheet runs, files that stay where they are unpacked, and diagnostics without a name", async () => {
  const page = await pages.open("usage");
  page.removeAllListeners("download");
  for (const by of ["model", "key", "client", "endpoint"]) {
    await go(page, `usage?by=${by}`);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const cells = csvRows((await readFile(await file.path(), "utf8")).replace("\uFEFF", ""));
    expect.soft(new Set(cells.map(({ length }) => length)).size, by).toBe(1);
    expect.soft(formulas(cells.flat()), by).toEqual([]);
    expect.soft(file.suggestedFilename()).toBe(`postern-usage-30d-by-${by}.csv`);
  }
  const unpacked = async (path: string, body?: unknown): Promise<Record<string, Uint8Array>> => {
    const { link } = await seeded.control<{ link: string }>("POST", path, body);
    return unzipSync(new Uint8Array(await (await fetch(`${seeded.gateway.url}${link}`)).arrayBuffer()));
  };
  const { data } = await seeded.control<{ data: readonly { id: string }[] }>("GET", "/media?limit=500");
  const media = Object.keys(await unpacked("/media/export", { ids: data.map(({ id }) => id) }));
  expect(media.length).toBeGreaterThan(2 * data.length);
  // A day in front, so that none is a device of Windows; no part is a way out of the folder.
  const plain = /^(\d{4}-\d\d-\d\d-[A-Za-z0-9-]*-\w+\.\w+(\.json)?|index\.json)$/;
  expect(media.filter((name) => !plain.test(name))).toEqual([]);

  // Model ids are in the log, and strangers choose them: these two texts went in elsewhere.
  const [name, prompt] = ["A key of nobody's business", "A prompt of nobody's business"];
  await seeded.control("POST", "/keys", { name });
  const { url, apiKey } = seeded.gateway;
  await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1", messages: [{ role: "user", content: `act:fail ${prompt}` }] }),
  });
  const bundle = await unpacked("/diagnostics", {});
  expect(Object.keys(bundle)).toEqual(["postern.json", "log.ndjson"]);
  const [about = "", log = ""] = Object.values(bundle).map((bytes) => Buffer.from(bytes).toString("utf8"));
  expect(JSON.parse(about)).toMatchObject({ requests: { looked_at: 500 } });
  for (const line of log.split("\n").filter(Boolean)) JSON.parse(line);
  for (const stored of [name, prompt, apiKey]) expect((about + log).includes(stored), stored).toBe(false);
});

it("copies cells and commands that do nothing but stand there", async () => {
  const page = await open();
  await go(page, "keys");
  const table = await copied(page, async () => {
    await page.getByRole("button", { name: "Columns of Keys" }).click();
    await page.getByRole("menuitem", { name: "Copy as TSV" }).click();
  });
  const lines = table.split("\n");
  expect(lines.length).toBeGreaterThan(asNames.length);
  expect(new Set(lines.map((line) => line.split("\t").length)).size).toBe(1);
  // What begins with a quote is read as one cell with its quotes off.
  const cells = lines.flatMap((line) => line.split("\t")).map((cell) => cell.replace(/^"(.*)"$/s, "$1"));
  expect(formulas(cells.map((cell) => cell.replaceAll('""', '"')))).toEqual([]);
  expect(lines.some((line) => line.startsWith("'=HYPERLINK"))).toBe(true);

  const folder = await mkdtemp(join(tmpdir(), "postern-hostile-"));
  const curl = (): Promise<string> =>
    copied(page, () => dialog(page).getByRole("button", { name: "Copy as curl" }).click());
  for (const id of seeded.shown.values()) {
    await go(page, `requests?id=${id}`);
    const command = await curl();
    expect(command).toContain("--data-raw");
    await harmlessInShell(command, folder);
    await close(page);
  }
  const commands = payloads.filter((each) => /' ?[;&\n]? ?&?&? ?touch|^@\/etc|^\$\(/.test(each));
  // Ids with control or direction characters are in no list.
  const names = commands.filter((each) => !/[\p{Cc}\p{Bidi_Control}]/u.test(each));
  expect(names.length).toBeGreaterThan(5);
  for (const payload of names) {
    await go(page, `models?model=${encodeURIComponent(payload)}`);
    const command = await curl();
    expect(command).toContain("/v1/");
    await harmlessInShell(command, folder);
    await close(page);
  }
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

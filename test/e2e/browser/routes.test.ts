import type { Page } from "playwright-core";
import { describe, expect, it, vi } from "vitest";
import type { RouteView } from "../../../gateway/contract/route-operations.ts";
import { axeFindings, copied, findFaults, focused, shownTab, type WatchOptions } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { furnishRoutes, routeView, someRoutes } from "./fake-routes.ts";
import { useFakePages } from "./page-suite.ts";

/** The Routes page on a fake control server: the list, what is undone, the builder and its effect. */
const pages = useFakePages(furnishRoutes);

async function open(routes: readonly RouteView[] = someRoutes, query = "", options: WatchOptions = {}): Promise<Page> {
  pages.fake.routes = [...routes];
  const page = await pages.open(`routes${query}`, options);
  await shownTab(page, "Routes").waitFor();
  await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
  return page;
}

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const chain = (page: Page, label: string) => page.getByRole("list", { name: label, exact: true });
// A message is a dialog by role, too.
const builder = (page: Page) => page.getByRole("dialog", { name: /^(New route|Route |新建路由)/ });
const rows = (page: Page) => builder(page).getByRole("group", { name: "Models" }).getByRole("listitem");
const ids = (page: Page) => rows(page).locator("code").allTextContents();
const effect = (page: Page) => page.getByRole("status", { name: "Effect" });

const moved = (to: string, requests: number, nano: number | null, wouldBe: number | null) => ({
  from: "claude-opus-5-5",
  to,
  rule: 1,
  requests,
  nano,
  would_be_nano: wouldBe,
});

/** As people do who know a part of its name. */
async function addModel(page: Page, typed: string, to = "the route"): Promise<void> {
  await page.getByRole("combobox", { name: `Add model to ${to}` }).press("Enter");
  await page.getByLabel("Search models").fill(typed);
  await page.getByRole("option").filter({ hasText: typed }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("listbox").waitFor({ state: "detached" });
}

describe("the list", () => {
  it("draws each chain in its order, says who is not served, and the rules in words", async () => {
    const page = await open();
    const route = panel(page, "keep-working");
    const models = chain(page, "Models of keep-working").getByRole("listitem");
    expect(await models.locator("code").allTextContents()).toEqual([
      "claude-opus-5-5",
      "gpt-5.4",
      "gone-away",
      "qwen3:8b",
    ]);
    expect(await models.nth(2).textContent()).toContain("not served");
    expect(await models.nth(1).textContent()).toContain("Healthy");
    await route.getByText("Background or Title", { exact: true }).waitFor();
    await chain(page, "Models of Background or Title").getByText("claude-haiku-4-5").waitFor();
    await route.getByText("input above 150,000 tokens, app Claude Code, 09:00 to 17:30", { exact: true }).waitFor();
    const other = panel(page, "gpt-5.4-mini");
    for (const badge of ["before the model", "Cheapest first", "Sticky"])
      await other.getByText(badge, { exact: true }).waitFor();
    const copy = route.getByRole("button", { name: "Copy keep-working" });
    expect(await copied(page, () => copy.click())).toBe("keep-working");
  });

  it("switches a route off and on, with an undo", async () => {
    const page = await open();
    const toggle = panel(page, "keep-working").getByRole("switch", { name: "Apply keep-working" });
    await toggle.click();
    await page.getByText("keep-working is switched off").waitFor();
    expect(pages.fake.routes[0]).toEqual({ ...someRoutes[0], enabled: false, unserved: ["gone-away"] });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => pages.fake.routes[0]?.enabled).toBe(true);
    await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("true");
  });

  it("deletes a route and brings it back", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Actions for keep-working" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await panel(page, "keep-working").waitFor({ state: "detached" });
    await expect.poll(() => pages.fake.routes.map(({ name }) => name)).toEqual(["gpt-5.4-mini"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await panel(page, "keep-working").waitFor();
    await expect.poll(() => pages.fake.routes.find(({ name }) => name === "keep-working")).toEqual(someRoutes[0]);
  });

  it("asks before it deletes a route that a key is allowed", async () => {
    pages.fake.keys = pages.fake.keys.map((key, at) => (at === 0 ? { ...key, models: ["keep-working"] } : key));
    const page = await open();
    await page.getByRole("button", { name: "Actions for keep-working" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete “keep-working”?" });
    await question.getByText("First key", { exact: false }).waitFor();
    expect(pages.fake.seen).not.toContain("POST /control/routes/remove");
    await question.getByRole("button", { name: "Delete" }).click();
    await panel(page, "keep-working").waitFor({ state: "detached" });
  });

  it("says why a switch was refused, and shows what holds", async () => {
    pages.fake.responses.set("POST /control/routes", refusal(503, "The disk is full.", "storage_unavailable"));
    const page = await open();
    const toggle = page.getByRole("switch", { name: "Apply keep-working" });
    await toggle.click();
    await page.getByRole("region", { name: "Notifications" }).getByText("The disk is full.").waitFor();
    await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("true");
  });

  it("undoes all of them with one switch", async () => {
    const sent: unknown[] = [];
    const page = await open();
    const settings = pages.fake.responses.get("GET /control/settings")?.body as object;
    pages.fake.serve = (incoming, outgoing, { pathname }) => {
      if (incoming.method !== "PATCH" || pathname !== "/control/settings") return false;
      incoming.on("data", (bytes) => {
        sent.push(JSON.parse(String(bytes)));
        outgoing
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ ...settings, ...JSON.parse(String(bytes)) }));
      });
      return true;
    };
    await page.getByRole("switch", { name: "Routes apply" }).click();
    await page.getByText("Routes are switched off.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Routes are switched off.", { exact: true }).waitFor({ state: "detached" });
    // The page shows the change before the gateway has it.
    await vi.waitFor(() => expect(sent).toEqual([{ routes: false }, { routes: true }]));
  });

  it("says what went wrong without a response", async () => {
    pages.fake.responses.set("GET /control/routes", refusal(500, "The disk is full."));
    const page = await open();
    await page.getByText("The disk is full.").waitFor();
    pages.fake.responses.delete("GET /control/routes");
    expect(await panel(page, "keep-working").count()).toBe(0);
    await page.getByRole("button", { name: "Try again" }).click();
    await panel(page, "keep-working").waitFor();
  });
});

describe("templates", () => {
  it("builds “opus, then gpt, then local” with two presses", async () => {
    const page = await open([]);
    await page.getByText("No routes yet").waitFor();
    await page.getByRole("button", { name: /^Keep working when one fails/ }).click();
    await expect.poll(() => ids(page)).toEqual(["claude-opus-5-5", "gpt-5.4", "qwen3:8b"]);
    await builder(page).getByRole("button", { name: "Create route" }).click();
    await panel(page, "keep-working").waitFor();
    expect(pages.fake.routes).toMatchObject([
      { name: "keep-working", models: ["claude-opus-5-5", "gpt-5.4", "qwen3:8b"], rules: [], enabled: true },
    ]);
  });

  it("builds “background to haiku”, and “long prompts”, and leaves no trace in the address", async () => {
    const page = await open([]);
    await page.getByRole("button", { name: /^Background to a cheap model/ }).click();
    await builder(page).getByRole("button", { name: "Create switched off" }).click();
    await panel(page, "cheap-background").waitFor();
    expect(new URL(page.url()).hash).toBe("#/routes");
    expect(pages.fake.routes).toMatchObject([
      {
        name: "cheap-background",
        models: ["claude-opus-5-5"],
        rules: [{ when: { kinds: ["background", "title"] }, models: ["claude-haiku-4-5"], enabled: true }],
        enabled: false,
      },
    ]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("No routes yet").waitFor();
    await page.getByRole("button", { name: /^Long prompts to a long context/ }).click();
    await builder(page).getByRole("button", { name: "Create route" }).click();
    await panel(page, "long-prompts").getByText("input above 100,000 tokens").waitFor();
  });
});

describe("the builder", () => {
  it("builds a chain and a rule by keyboard alone", async () => {
    const page = await open([]);
    await page.keyboard.press("n");
    await focused(page.getByLabel("Name", { exact: true }));
    await page.keyboard.type("mine");
    await addModel(page, "gpt-5.4");
    await addModel(page, "opus");
    await addModel(page, "qwen");
    await focused(page.getByRole("combobox", { name: "Add model to the route" }));
    expect(await ids(page)).toEqual(["gpt-5.4", "claude-opus-5-5", "qwen3:8b"]);
    // Alt and the arrows, from any button of the row, which keeps the focus.
    await page.getByRole("button", { name: "Move claude-opus-5-5", exact: true }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(() => ids(page)).toEqual(["claude-opus-5-5", "gpt-5.4", "qwen3:8b"]);
    await page.getByText("claude-opus-5-5 is 1 of 3").waitFor();
    await focused(page.getByRole("button", { name: "Move claude-opus-5-5", exact: true }));
    await page.keyboard.press("Alt+ArrowUp");
    expect(await ids(page)).toEqual(["claude-opus-5-5", "gpt-5.4", "qwen3:8b"]);
    await page.getByRole("button", { name: "Add rule" }).press("Enter");
    await focused(page.getByRole("button", { name: "Background", exact: true }));
    await page.keyboard.press("Enter");
    await addModel(page, "haiku", "Rule 1");
    await page.getByLabel("Name", { exact: true }).press("Enter");
    await panel(page, "mine").waitFor();
    expect(pages.fake.routes).toMatchObject([
      {
        name: "mine",
        models: ["claude-opus-5-5", "gpt-5.4", "qwen3:8b"],
        rules: [{ when: { kinds: ["background"] }, models: ["claude-haiku-4-5"], enabled: true }],
      },
    ]);
  });

  it("moves models by drag and by buttons, and takes them out", async () => {
    const page = await open(undefined, "?edit=keep-working");
    await expect.poll(() => ids(page)).toEqual(["claude-opus-5-5", "gpt-5.4", "gone-away", "qwen3:8b"]);
    const from = await page.getByRole("button", { name: "Move qwen3:8b", exact: true }).boundingBox();
    const to = await rows(page).first().boundingBox();
    await page.mouse.move((from?.x ?? 0) + 5, (from?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move((from?.x ?? 0) + 5, (to?.y ?? 0) + 10, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => ids(page)).toEqual(["qwen3:8b", "claude-opus-5-5", "gpt-5.4", "gone-away"]);
    await page.getByRole("button", { name: "Move qwen3:8b down" }).click();
    await expect.poll(() => ids(page)).toEqual(["claude-opus-5-5", "qwen3:8b", "gpt-5.4", "gone-away"]);
    await page.getByRole("button", { name: "Remove gone-away" }).click();
    await builder(page).getByRole("button", { name: "Save changes" }).click();
    await builder(page).waitFor({ state: "detached" });
    expect(pages.fake.routes[0]).toMatchObject({ models: ["claude-opus-5-5", "qwen3:8b", "gpt-5.4"], enabled: true });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => pages.fake.routes[0]?.models).toEqual(someRoutes[0]?.models);
  });

  it("shows price and context, offers ids that tools insist on, and leaves out what cannot be in a chain", async () => {
    const page = await open([...someRoutes, routeView({ name: "gpt-4.1", models: ["gpt-5.4"] })], "?edit=keep-working");
    await rows(page).first().getByText("$5.00 / $25.00 per 1M").waitFor();
    await rows(page).first().getByText("200K context").waitFor();
    await rows(page).last().getByText("free").waitFor();
    await rows(page).nth(2).getByText("not served").waitFor();
    await builder(page).getByRole("button", { name: "claude-opus-5-5", exact: true }).click();
    await page.getByText("Apps that ask for claude-opus-5-5 take this route.").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("claude-opus-5-5");
    await page.getByRole("combobox", { name: "Add model to the route" }).click();
    await page.getByRole("option", { name: /haiku/ }).waitFor();
    expect(await page.getByRole("option", { name: /gpt-4\.1|opus/ }).count()).toBe(0);
  });

  it("asks every condition, and reads them back", async () => {
    const page = await open(undefined, "?copy=keep-working");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("keep-working-copy");
    const rule = builder(page).getByRole("listitem", { name: "Rule 1" });
    for (const condition of ["Input tokens above", "App", "Key", "Time of day", "Budget used above, %"]) {
      await rule.getByRole("button", { name: "Add condition" }).click();
      await page.getByRole("menuitem", { name: condition, exact: true }).click();
    }
    await rule.getByLabel("Input tokens above", { exact: true }).fill("80,000");
    await rule.getByLabel("App", { exact: true }).fill("claude-cli, codex*");
    await rule.getByRole("button", { name: "No key chosen" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Claude Code" }).click();
    await page.keyboard.press("Escape");
    await rule.getByLabel("From", { exact: true }).fill("22:00");
    await rule.getByLabel("Until", { exact: true }).fill("06:30");
    await rule.getByLabel("Budget used above, %", { exact: true }).fill("90");
    await rule.getByRole("button", { name: "Take out: Kind of request" }).click();
    await builder(page).getByRole("button", { name: "Move rule 1 down" }).click();
    await builder(page).getByRole("button", { name: "Create route" }).click();
    await panel(page, "keep-working-copy").waitFor();
    expect(pages.fake.routes.at(-1)).toMatchObject({
      rules: [
        someRoutes[0]?.rules[1],
        {
          when: {
            input_tokens_above: 80_000,
            clients: ["claude-cli", "codex*"],
            keys: ["key_2"],
            hours: { from: "22:00", until: "06:30" },
            budget_used_above: 90,
          },
          models: ["claude-haiku-4-5"],
        },
      ],
    });
    await panel(page, "keep-working-copy")
      .getByText("input above 80,000 tokens, app Claude Code or codex*, key Claude Code, 22:00 to 06:30")
      .waitFor();
  });

  it("says next to its field what is missing, taken or refused", async () => {
    const page = await open(undefined, "?new=blank");
    await builder(page).getByRole("button", { name: "Add rule" }).click();
    await builder(page).getByRole("button", { name: "Create route" }).click();
    for (const sentence of ["1 to 100 letters, digits", "Choose at least one kind."])
      await builder(page).getByText(sentence).waitFor();
    expect(await builder(page).getByText("Add at least one model.").count()).toBe(2);
    await focused(page.getByLabel("Name", { exact: true }));
    await page.keyboard.type("keep-working");
    await addModel(page, "opus");
    await page.getByRole("button", { name: "Delete rule 1" }).click();
    await builder(page).getByRole("button", { name: "Create route" }).click();
    await builder(page).getByText("There is a route keep-working already.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("other");
    const sentence = '"claude-opus-5-5" is a route itself, and routes do not nest. Name its models instead.';
    pages.fake.responses.set("POST /control/routes", refusal(400, sentence, "invalid_value", "models[0]"));
    await builder(page).getByRole("button", { name: "Create route" }).click();
    await builder(page).getByRole("group", { name: "Models" }).getByText(sentence).waitFor();
    await focused(page.getByRole("combobox", { name: "Add model to the route" }));
  });

  it("renames a route, and takes that back as well", async () => {
    const page = await open(undefined, "?edit=gpt-5.4-mini");
    await page.getByLabel("Name", { exact: true }).fill("small");
    await page.getByRole("radio", { name: "Fastest first" }).check();
    await page.getByText("By measured time to the first token.").waitFor();
    await builder(page).getByRole("switch", { name: "Stay with one model" }).click();
    await builder(page).getByRole("button", { name: "Save changes" }).click();
    await panel(page, "small").waitFor();
    await panel(page, "gpt-5.4-mini").waitFor({ state: "detached" });
    // It was switched off, and stays so.
    expect(pages.fake.routes.at(-1)).toMatchObject({ name: "small", order: "fastest", sticky: false, enabled: false });
    await page.getByRole("button", { name: "Undo" }).click();
    await panel(page, "gpt-5.4-mini").waitFor();
    await panel(page, "small").waitFor({ state: "detached" });
    // Each of them in one step, in which keys go along.
    expect(pages.fake.seen).not.toContain("POST /control/routes/remove");
  });
});

describe("the effect before it applies", () => {
  it("follows the draft, tells what has no price, and never holds it up", async () => {
    const requests: (readonly string[])[] = [];
    pages.fake.effectOf = ({ models, rules = [] }) => {
      requests.push(models);
      const [first] = rules;
      if (first === undefined) return { looked_at: 1_000, since: 1, moved: [] };
      const [to = ""] = first.models;
      const wouldBe = to === "qwen3:8b" ? null : 900_000_000;
      return { looked_at: 1_000, since: 1, moved: [moved(to, 312, 5_000_000_000, wouldBe)] };
    };
    const page = await open([], "?new=background");
    await effect(page)
      .getByText("Of the last 1,000 requests: 312 would have gone to claude-haiku-4-5, $4.10 less")
      .waitFor();
    await page.getByRole("button", { name: "Remove claude-haiku-4-5" }).click();
    await addModel(page, "qwen", "Rule 1");
    await effect(page).getByText("312 would have gone to qwen3:8b, unpriced").waitFor();
    await page.getByRole("button", { name: "Delete rule 1" }).click();
    await effect(page).getByText("none would have gone elsewhere").waitFor();
    // Typing asks once it rests, and a draft that is no route is not asked about.
    const before = requests.length;
    await page.getByLabel("Name", { exact: true }).pressSequentially("-of-mine");
    await expect.poll(() => requests.length).toBe(before + 1);
    await page.getByRole("button", { name: "Remove claude-opus-5-5" }).click();
    await effect(page).getByText("Of the last").waitFor({ state: "detached" });
    expect(requests.length).toBe(before + 1);
  });

  it("tells none where there are no requests, and is not in the way where it is refused", async () => {
    const page = await open([], "?new=working");
    await effect(page).getByText("No request by this name yet.").waitFor();
    pages.fake.responses.set("POST /control/routes/effect", refusal(500, "It broke.", "internal_error"));
    await page.getByLabel("Name", { exact: true }).fill("another");
    await effect(page).getByText("The effect is not known now.").waitFor();
    await builder(page).getByRole("button", { name: "Create route" }).click();
    await panel(page, "another").waitFor();
    expect(pages.fake.routes).toMatchObject([{ name: "another", enabled: true }]);
  });
});

describe("in every dress", () => {
  it.each([1280, 360])("axe finds nothing at %i px, in both themes, and nothing scrolls sideways", async (width) => {
    const page = await open(undefined, "", { width, height: 740 });
    await panel(page, "keep-working").waitFor();
    expect(await findFaults(page)).toEqual([]);
    pages.fake.effectOf = () => ({
      looked_at: 1_000,
      since: 1,
      moved: [moved("claude-haiku-4-5", 312, 5_000_000_000, 900_000_000)],
    });
    await page.getByRole("button", { name: "Actions for keep-working" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await effect(page).getByText("312").waitFor();
    expect(await findFaults(page, "[role=dialog]")).toEqual([]);
    expect(await builder(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
  });

  it("axe finds nothing where there is no route", async () => {
    const page = await open([]);
    await page.getByText("No routes yet").waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});

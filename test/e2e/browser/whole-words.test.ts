import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import type { FakeControl } from "./fake-control.ts";
import { serveModels, someModels } from "./fake-models.ts";
import { serveSettings } from "./fake-settings.ts";
import { keyOf } from "./fixtures.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** Words that a narrow place once cut: they are there whole, in both languages. */
const pages = useFakePages();

interface Case {
  readonly what: string;
  readonly place: string;
  readonly width: number;
  readonly furnish: (fake: FakeControl) => unknown;
  /** The texts that are looked at, of which there is at least one. */
  readonly texts: (page: Page) => Locator;
}

const cellOf = (page: Page, text: RegExp): Locator =>
  page.locator("main [role=gridcell] span").filter({ hasText: text, hasNot: page.locator("span, button") });

const forecast = keyOf(9, {
  name: "Nightly evaluation",
  limit_usd: 25,
  reset: "monthly",
  spent_nano: 14_410_000_000,
  ends_at: Date.now() + 3 * 86_400_000,
});

const running: RunningRequest = {
  id: "req_running",
  at: Date.now() - 4_000,
  key: "key_1",
  endpoint: "chat",
  model: "gpt-5.4",
  provider: "openai",
  connection: "con_1",
  client: "running",
  stream: true,
  sandbox: false,
  state: "answering",
  characters: 1_204,
};

const RUNNING: Pick<Case, "place" | "furnish" | "texts"> = {
  place: "requests?id=req_1",
  furnish(fake) {
    fake.receipts = [receiptOf(1, { id: "req_1" })];
    fake.responses.set("GET /control/running-requests", { status: 200, body: { data: [running], total: 1 } });
  },
  texts: (page) => cellOf(page, /^(Receiving|接收中)$/),
};

const LIMIT: Pick<Case, "place" | "texts"> = {
  place: "keys",
  texts: (page) => cellOf(page, /\$14\.41.*\$25|\$25.*\$14\.41|^ends|用完$/),
};
/** It has been used without a price. */
const badge = (fake: FakeControl): unknown => (fake.keys = [{ ...forecast, id: "key_1" }, keyOf(2)]);
const alone = (fake: FakeControl): unknown => (fake.keys = [forecast]);

const cases: readonly Case[] = [
  { what: "a key's limit beside its forecast", width: 1280, furnish: alone, ...LIMIT },
  ...[1280, 800, 360].map((width) => ({ what: "a key's limit beside a badge", width, furnish: badge, ...LIMIT })),
  { what: "a key's limit", width: 360, furnish: alone, ...LIMIT },
  {
    what: "a key's name beside its origin",
    place: "keys",
    width: 1280,
    furnish: (fake) => (fake.keys = [keyOf(3, { name: "evaluation", origin: "environment" })]),
    texts: (page) => cellOf(page, /^evaluation$/),
  },
  { what: "how far a request is beside an open one", width: 1280, ...RUNNING },
  { what: "how far a request is", width: 360, ...RUNNING, place: "requests" },
  {
    what: "a model's price",
    place: "models",
    width: 360,
    furnish: (fake) => serveModels(fake, someModels.slice(0, 2)),
    texts: (page) => cellOf(page, /^\$2\.5\/\$15$|^\$0\.75\/\$4\.5$/),
  },
  {
    what: "the address in the network",
    place: "settings?section=network",
    width: 360,
    furnish: serveSettings,
    texts: (page) => page.locator("main dd code"),
  },
];

const inLanguages = cases.flatMap((one) => (["en", "zh"] as const).map((language) => ({ ...one, language })));

it.each(inLanguages)("$what is whole at $width px ($language)", async (one) => {
  one.furnish(pages.fake);
  const first = await pages.open("overview", { width: one.width });
  await first.evaluate((to) => localStorage.setItem("postern.language", to), one.language);
  const page = await pages.open(one.place, { width: one.width });
  await one.texts(page).first().waitFor();
  const cut = await one.texts(page).evaluateAll((all) =>
    all
      .filter(({ scrollWidth, clientWidth, parentElement: cell }) => {
        const isInline = clientWidth === 0;
        return isInline ? cell !== null && cell.scrollWidth > cell.clientWidth : scrollWidth > clientWidth;
      })
      .map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
});

import { json } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { PriceListView } from "../../../gateway/contract/price-list.ts";
import { refusal, type FakeControl } from "./fake-control.ts";
import { priceChanges, priceList, serveSettings, settings } from "./fake-settings.ts";
import { useFakePages } from "./page-suite.ts";

/** The part of the Settings page where newer prices are fetched, looked at and taken. */
const pages = useFakePages(serve);
const URL_OF_LIST = "https://prices.example/prices.json";
const ok = (body: unknown) => ({ status: 200, body });

function serve(fake: FakeControl): void {
  serveSettings(fake);
  fake.responses.set("GET /control/settings", ok({ ...settings, price_list_url: URL_OF_LIST }));
}

async function openPrices(): Promise<Page> {
  const page = await pages.open("settings?section=prices");
  await page.getByText("In use").waitFor();
  return page;
}

it("shows what a fetched list would change, old and new, with where it is from and of when", async () => {
  const page = await openPrices();
  const offered = page.getByRole("region", { name: "Offered prices" });
  await offered.getByText(/1,204 prices from https:\/\/prices\.example\/prices\.json, fetched on Nov 22/).waitFor();
  const rows = offered.getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.nth(1).innerText()).toMatch(
    /claude-sonnet-4-5-20250929\s+api\.anthropic\.com\s+Input.*\s+\$3\.00 → \$2\.50\s+.*\s+\$0\.30 → \$0\.25\s+Input.* above 200,000 tokens\s+\$6\.00 → no price/,
  );
  expect(await rows.nth(0).innerText()).toMatch(/unusual/);
  pages.fake.responses.set("GET /control/price-list/changes", ok(priceChanges(true)));
  await offered.getByRole("button", { name: "Show all" }).click();
  await offered.getByText("api.groq.com").waitFor();
  expect(pages.fake.seen.filter((line) => line.startsWith("POST /control/price-list"))).toEqual([]);
});

it("takes prices that are unusual only when that was agreed to", async () => {
  const page = await openPrices();
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByRole("alertdialog").getByText("It may be a slip in the list.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(pages.fake.seen).not.toContain("POST /control/price-list/accept");
  const received = { ...priceList, accepted: priceList.offered, offered: null };
  pages.fake.responses.set("POST /control/price-list/accept", ok(received));
  pages.fake.responses.set("GET /control/price-list", ok(received));
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  const pending = page.waitForRequest((request) => request.url().endsWith("/price-list/accept"));
  await page.getByRole("button", { name: "Accept all the same" }).click();
  expect((await pending).postDataJSON()).toEqual({ id: "list-2", unusual: true });
  await page.getByText("Calls are billed by the new prices from now on").waitFor();
  await expect.poll(() => page.getByRole("region", { name: "Offered prices" }).count()).toBe(0);
});

it("says why a list that is not offered any more is not taken", async () => {
  const page = await openPrices();
  const sentence = "This price list is not offered any more. Look at what is offered now.";
  pages.fake.responses.set("POST /control/price-list/accept", refusal(409, sentence, "conflict"));
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByRole("button", { name: "Accept all the same" }).click();
  await expect.poll(() => page.getByText(sentence).count()).toBeGreaterThan(0);
});

it("goes back to the catalog, and leaves what is offered", async () => {
  const page = await openPrices();
  // The list as it is after each request: the page asks again for what it has just changed.
  let view: PriceListView = priceList;
  const dropped: unknown[] = [];
  pages.fake.serve = async (incoming, outgoing, { pathname }) => {
    if (!pathname.startsWith("/control/price-list")) return false;
    if (pathname.endsWith("/drop")) {
      const { list } = (await json(incoming)) as { list: "accepted" | "offered" };
      dropped.push(list);
      view = { ...view, [list]: null };
    }
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(view));
    return true;
  };
  pages.fake.responses.delete("GET /control/price-list");
  await page.getByRole("button", { name: "Leave it" }).click();
  await expect.poll(() => page.getByRole("region", { name: "Offered prices" }).count()).toBe(0);
  await page.getByRole("button", { name: "Back to the catalog" }).click();
  await page.getByText("The catalog alone.").waitFor();
  expect(dropped).toEqual(["offered", "accepted"]);
});

it("fetches nothing before an address is set, and shows why one could not be fetched", async () => {
  pages.fake.responses.set("GET /control/settings", ok(settings));
  pages.fake.responses.set("GET /control/price-list", ok({ accepted: null, offered: null, problem: null }));
  const page = await openPrices();
  const fetchNow = page.getByRole("button", { name: "Fetch now" });
  expect(await fetchNow.isDisabled()).toBe(true);
  const daily = page.getByRole("switch", { name: "Fetch it every day" });
  expect(await daily.getAttribute("aria-disabled")).toBe("true");
  const address = page.getByRole("textbox", { name: "Address of the list" });
  await address.fill("prices.json");
  await address.press("Enter");
  await page.getByText("Enter an address that begins with https:// or http://.").waitFor();
  expect(pages.fake.seen).not.toContain("PATCH /control/settings");
  pages.fake.responses.set("PATCH /control/settings", ok({ ...settings, price_list_url: URL_OF_LIST }));
  await address.fill(URL_OF_LIST);
  await address.press("Enter");
  await expect.poll(() => fetchNow.isDisabled()).toBe(false);
  const message = "The price list was not fetched: it is too large.";
  const problem = { at: Date.UTC(2026, 10, 22, 9), message };
  pages.fake.responses.set("POST /control/price-list/refresh", refusal(502, message, "upstream_error"));
  pages.fake.responses.set("GET /control/price-list", ok({ accepted: null, offered: null, problem }));
  await fetchNow.click();
  await page.getByRole("tabpanel").getByText(message).waitFor();
});

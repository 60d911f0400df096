import { expect, it } from "vitest";
import { connectionView, credentialHealth } from "../../support/views.ts";
import { axeInBothThemes, sidewaysScroll } from "./browser.ts";
import { useFakePages } from "./page-suite.ts";

const pages = useFakePages();
const HOUR_MS = 60 * 60_000;

it("Shows the credit of each key with its time, and sets the amount of its notice", async () => {
  const left = (nano: number) => ({
    balances: [{ currency: "USD", nano }],
    used_up: nano <= 0,
    read_at: Date.now() - 2 * HOUR_MS,
    error: null,
  });
  pages.fake.connections = [
    connectionView({
      id: "con_9",
      provider: "deepseek",
      name: "DeepSeek",
      credit_notice: 5,
      credentials: [
        credentialHealth({ hint: "sk-de…0001", credit: { ...left(1_200_000_000), error: "No route to host." } }),
        credentialHealth({ hint: "sk-de…0002", credit: left(-10_000_000) }),
      ],
    }),
    connectionView({
      id: "con_8",
      name: "OpenRouter",
      credentials: [credentialHealth({ credit: { ...left(0), balances: [], used_up: false } })],
    }),
  ];
  const page = await pages.open("connections");
  const rows = page.getByRole("list", { name: "Credit at DeepSeek" }).getByRole("listitem");
  await rows.first().waitFor();
  expect(await rows.allInnerTexts()).toEqual([
    expect.stringMatching(/^Credit\s+sk-de…0001\s+1\.20 USD\s+read 2 h ago\s+could not be read: “No route to host\.”$/),
    expect.stringMatching(
      /^Credit\s+sk-de…0002\s+-0\.01 USD\s+used up: other providers are tried first\s+read 2 h ago$/,
    ),
  ]);
  await page.getByRole("list", { name: "Credit at OpenRouter" }).getByText("no limit for this key").waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBe(0);
  await page.getByRole("button", { name: "Actions for DeepSeek" }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  const dialog = page.getByRole("dialog", { name: "Change provider" });
  const field = dialog.getByLabel("Notice below");
  expect(await field.inputValue()).toBe("5");
  await field.fill("much");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Type an amount, or leave it empty.").waitFor();
  await field.fill("2.50");
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await dialog.getByRole("button", { name: "Save" }).click();
  expect((await sent).postDataJSON()).toMatchObject({ credit_notice: 2.5 });
});

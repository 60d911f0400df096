import { expect, it } from "vitest";
import { useGatewayPages } from "./page-suite.ts";

/** How requests leave this machine, on the Settings page and in a provider's dialog, over a real Postern. */
const pages = useGatewayPages();

it("takes a proxy with a login, shows it without, and refuses what is invalid", async () => {
  const page = await pages.open();
  await pages.go(page, "settings?section=network");
  const proxy = page.getByLabel("Outbound proxy");
  await proxy.fill("ftp://proxy:21");
  await proxy.press("Enter");
  await page.getByText(/system, off or the address of a proxy/i).waitFor();
  await proxy.fill("http://me:secret-of-the-test@127.0.0.1:3128");
  await proxy.press("Enter");
  await expect.poll(() => proxy.inputValue()).toBe("http://***@127.0.0.1:3128");
  expect(await page.content()).not.toContain("secret-of-the-test");
  await page.reload();
  await expect.poll(() => page.getByLabel("Outbound proxy").inputValue()).toBe("http://***@127.0.0.1:3128");
});

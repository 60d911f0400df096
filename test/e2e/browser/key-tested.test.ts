import { expect, it } from "vitest";
import { axeFindings } from "./browser.ts";
import { startLocalProvider } from "./local-provider.ts";
import { useGatewayPages } from "./page-suite.ts";

/** A provider's key is tested before it is stored, on a real Postern that has none yet. */
const pages = useGatewayPages();

it("keeps a wrong key in the dialog, on the first run, until it is right", async () => {
  const provider = await startLocalProvider(["tiny"]);
  provider.accepted.add("right-key");
  try {
    const page = await pages.open();
    const guide = page.getByRole("region", { name: "Get started" });
    await guide.getByRole("button", { name: "Add provider" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a provider" });
    await dialog.getByRole("radio", { name: "Another compatible server" }).click();
    await dialog.getByLabel("Name").fill("Corrected");
    await dialog.getByLabel("Base URL").fill(provider.baseUrl);
    await dialog.getByLabel("Provider key").fill("wrong-key");
    await dialog.getByRole("button", { name: "Add provider" }).click();
    const field = dialog.getByLabel("Provider key");
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    expect((await dialog.innerText()).match(/Incorrect API key provided\./g)).toHaveLength(1);
    expect(await page.getByText("Incorrect API key").count()).toBe(1);
    expect(await dialog.innerText()).not.toContain("Providers page");
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await dialog.getByRole("button", { name: "Save anyway" }).waitFor();

    await field.fill("right-key");
    expect(await dialog.getByRole("button", { name: "Save anyway" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Add provider" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("“Corrected” is connected").waitFor();
    await guide.getByText("Connected: Corrected · 1 model found").waitFor();
  } finally {
    await provider.close();
  }
});

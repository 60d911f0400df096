import { expect, it } from "vitest";
import { quiet } from "./browser.ts";
import { fakeModel, serveModels } from "./fake-models.ts";
import { useFakePages } from "./page-suite.ts";

const [first, second, third] = ["model-one", "model-two", "model-three"].map((id) => fakeModel({ id }));
if (first === undefined || second === undefined || third === undefined) throw new Error("three models");
const pages = useFakePages((fake) => serveModels(fake, [first, second, third]), "playground");

it("gives up models that are served no more, and says which", async () => {
  const page = await pages.open();
  const model = page.getByLabel("Model", { exact: true });
  const compared = page.getByLabel("Compare with");
  await model.selectOption("model-two");
  await compared.selectOption("model-three");
  await pages.fake.followed();
  serveModels(pages.fake, [first, { ...second, served: false }]);
  pages.fake.emit({ type: "models.changed" });
  await page.getByText("model-two is not served any more.").waitFor();
  await page.getByText("model-three is not served any more.").waitFor();
  expect([await model.inputValue(), await compared.inputValue()]).toEqual(["model-one", ""]);
  expect(await model.locator("option").allTextContents()).toEqual(["model-one"]);
  await compared.selectOption("model-one");
  await page.getByText("model-three is not served any more.").waitFor({ state: "detached" });
});

it("does not take a model from an address that nobody serves", async () => {
  const page = await pages.open("playground?kind=chat&model=model-of-yesterday");
  await page.getByText("model-of-yesterday is not served any more.").waitFor();
  await quiet(page);
  expect(await page.getByLabel("Model", { exact: true }).inputValue()).toBe("model-one");
});

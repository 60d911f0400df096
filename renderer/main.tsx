import "./lib/schemas-without-eval.ts";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createSession, takeTokenFromAddress } from "./api/session.ts";
import { createTabBearer } from "./api/tab-bearer.ts";
import { App } from "./app.tsx";
import { findFirstWords } from "./lib/i18n.tsx";
import { handOverOnRest } from "./lib/reload-memory.ts";
import { refuseFiles } from "./lib/refuse-files.ts";
import { parseRoute } from "./lib/router.ts";
import { applyTheme } from "./lib/theme.ts";
import { getPage } from "./routes.ts";

applyTheme();
handOverOnRest();
refuseFiles();

const session = createSession({ desktop: window.desktop, takeToken: takeTokenFromAddress, tab: createTabBearer() });
void session.start();
// The address that Postern prints, opened in the tab that shows the pages already, changes the fragment alone.
window.addEventListener("hashchange", () => {
  const token = takeTokenFromAddress();
  if (token !== null) void session.open(token);
});

// On their way while the session opens.
const words = findFirstWords();
void getPage(parseRoute(location.hash).path)?.part.load();

const element = document.getElementById("root");
if (element === null) throw new Error("index.html has no #root");
const root = createRoot(element);
words.then(
  (first) =>
    root.render(
      <StrictMode>
        <App session={session} words={first} />
      </StrictMode>,
    ),
  // Without loaded texts, one sentence per language remains.
  () =>
    root.render(
      <p>Postern does not answer. Start it, then load this page anew. · 请启动 Postern，然后重新加载此页面。</p>,
    ),
);

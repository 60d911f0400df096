import "./lib/schemas-without-eval.ts";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createSession, takeTokenFromAddress } from "./api/session.ts";
import { App } from "./app.tsx";
import { applyTheme } from "./lib/theme.ts";

applyTheme();

const session = createSession({ desktop: window.desktop, takeToken: takeTokenFromAddress });
void session.start();
// The address that Postern prints, opened in the tab that shows the pages already, changes the fragment alone.
window.addEventListener("hashchange", () => {
  const token = takeTokenFromAddress();
  if (token !== null) void session.open(token);
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App session={session} />
  </StrictMode>,
);

import { useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { createPart, loadWhenIdle, usePart } from "../../lib/part.ts";
import { navigate, replaceParams, useRoute } from "../../lib/router.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { formatPageName, getEntry, getPage, pages, getPlace } from "../../routes.ts";
import type { Page } from "../../routes.ts";
import { Empty, SkeletonRows } from "../ui/states.tsx";
import { Button } from "../ui/button.tsx";
import { menuPart } from "../ui/menu.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { OverlayParts, overlayParts } from "./overlay-parts.tsx";
import { OverlaysContext } from "./overlays.ts";
import type { LimitTarget, OverlayName } from "./overlays.ts";
import { useDownloads } from "./use-downloads.ts";
import { useLink } from "./use-link.ts";
import { useRest } from "./use-rest.ts";
import { PageBoundary } from "./page-boundary.tsx";
import { PageHeader } from "./page-header.tsx";
import { PlaceContext } from "./place.ts";
import { preferencesPart } from "./preferences-menu.tsx";
import { getCommand, remember } from "./recent-places.ts";
import { globalShortcuts, formatPageShortcut } from "./shortcut-table.ts";
import type { GlobalShortcut } from "./shortcut-table.ts";
import { Sidebar } from "./sidebar.tsx";
import { CircleAlert, RotateCw } from "lucide-react";
import { useGateway } from "../../api/gateway.tsx";

/** Focuses the page's first table for j and k, which then move in it. The open tab is no row. */
function focusTable(): void {
  document.querySelector<HTMLElement>("main [data-active]:not([role=tab])")?.focus();
}

/** Runs a page's primary action: opens a dialog of the frame, or one of the page. */
function openPrimary(page: Page | undefined, open: (name: OverlayName) => void): void {
  const primary = page?.primary;
  if (typeof primary === "string") open(primary);
  else if (primary !== undefined) replaceParams(primary);
}

const desktopCommands = createPart(async () => (await import("./desktop-commands.tsx")).DesktopCommands, {
  hasPageWords: false,
});

/** Keys that a browser has by itself. */
function DesktopPart(props: { readonly onLeave: () => void }): ReactNode {
  const part = usePart(desktopCommands);
  return part.status === "here" ? <part.component {...props} /> : null;
}

/** Time for the first page to fetch its own code and data before other pages' code. */
const PREFETCH_AFTER_MS = 1_000;

/** The frame around every page: sidebar or bottom bar, the offline line, and what opens on top. */
export function Shell(): ReactNode {
  const t = useMessages();
  const route = useRoute();
  const { path } = route;
  const page = getPage(path);
  const place = page && getPlace(page);
  const [overlay, setOverlay] = useState<OverlayName | null>(null);
  const [target, setTarget] = useState<LimitTarget | null>(null);
  const overlays = useMemo(
    () => ({
      open: setOverlay,
      limit: (limitTarget: LimitTarget) => {
        setTarget(limitTarget);
        setOverlay("limit");
      },
    }),
    [setOverlay, setTarget],
  );
  const { link, leave } = useLink();
  useDownloads();
  const close = (): void => {
    setOverlay(null);
    if (link !== null) leave();
  };
  const main = useRef<HTMLElement>(null);
  useRest(main);

  const handlers: Readonly<Record<GlobalShortcut, () => void>> = {
    palette: () => setOverlay("palette"),
    list: () => setOverlay("shortcuts"),
    primary: () => openPrimary(page, setOverlay),
    next: focusTable,
    previous: focusTable,
    filter: () => document.querySelector<HTMLInputElement>("[data-filter]")?.focus(),
  };
  useShortcuts({
    ...Object.fromEntries(globalShortcuts.map(({ id, on }) => [on, handlers[id]])),
    ...Object.fromEntries(pages.map((each) => [formatPageShortcut(each), () => navigate(each.id)])),
  });

  useEffect(() => {
    const opened = getCommand(route);
    if (opened !== null) remember(opened);
  }, [route]);

  // Prefetches all other lazy-loaded chunks once this page is rendered, so that navigation needs no network.
  useEffect(() => {
    const stopped = new AbortController();
    const parts = [preferencesPart, menuPart, ...overlayParts, ...pages.map(({ part }) => part)];
    const timer = setTimeout(() => void loadWhenIdle(parts, stopped.signal), PREFETCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, []);

  useEffect(() => {
    document.title = page === undefined ? t.app.name : `${formatPageName(page, t.pages)} · ${t.app.name}`;
  }, [page, t]);

  // A new page starts at the top, for scroll position and focus, and another tab at the tab; the first page takes no
  // focus.
  const shown = useRef(page);
  const tabIsAwaited = useRef(false);
  useEffect(() => {
    if (shown.current === page) return;
    const isTab = page !== undefined && getEntry(page.id) === (shown.current && getEntry(shown.current.id));
    shown.current = page;
    main.current?.scrollTo({ top: 0 });
    // The tabs of a page that is still loading are replaced when it arrives: then its own take the focus.
    const isHere = page?.part.state().status === "here";
    tabIsAwaited.current = isTab && !isHere;
    const start = (isTab && isHere ? main.current?.querySelector<HTMLElement>(CURRENT_TAB) : null) ?? main.current;
    start?.focus({ preventScroll: true });
  }, [page]);
  const pageHasCome = (): void => {
    if (tabIsAwaited.current && document.activeElement === main.current) {
      main.current?.querySelector<HTMLElement>(CURRENT_TAB)?.focus({ preventScroll: true });
    }
    tabIsAwaited.current = false;
  };

  return (
    <OverlaysContext value={overlays}>
      <a
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-raised focus:px-3 focus:py-1"
      >
        {t.app.skip}
      </a>
      <div className="flex h-dvh flex-col">
        <TopLine />
        <div className="flex min-h-0 grow">
          <Sidebar />
          <main
            ref={main}
            id="content"
            tabIndex={-1}
            className="relative min-w-0 grow overflow-y-auto wide:[scrollbar-gutter:stable]"
          >
            <div className="mx-auto max-w-[1280px] px-3 pt-4 pb-10 wide:px-6 wide:pt-5">
              {page === undefined || place === undefined ? (
                <Empty
                  title={t.app.notFound}
                  help={t.app.notFoundHelp}
                  action={<Button onClick={() => navigate("overview")}>{t.palette.goTo(t.pages.overview)}</Button>}
                />
              ) : (
                <PlaceContext value={place}>
                  <PageBoundary key={page.id}>
                    <PagePart page={page} onHere={pageHasCome} />
                  </PageBoundary>
                </PlaceContext>
              )}
            </div>
          </main>
        </div>
        <BottomBar />
      </div>
      {window.desktop !== undefined && <DesktopPart onLeave={close} />}
      <OverlayParts overlay={overlay} link={link} target={target} onOpen={setOverlay} onClose={close} />
    </OverlaysContext>
  );
}

const CURRENT_TAB = "header nav [aria-current]";

/** A page that is fetched when it is first shown; when it does not come, why, and the way to it. */
function PagePart({ page, onHere }: { readonly page: Page; readonly onHere: () => void }): ReactNode {
  const { id, part } = page;
  const t = useMessages();
  const state = usePart(part);
  const isHere = state.status === "here";
  const here = useEffectEvent(onHere);
  useEffect(() => {
    if (isHere) here();
  }, [isHere]);
  if (state.status === "here") return <state.component />;
  if (state.status === "waiting") {
    return (
      <>
        <PageHeader title={t.pages[id]} />
        <SkeletonRows rows={8} />
      </>
    );
  }
  const outdated = state.status === "outdated";
  return (
    <div role="alert">
      <Empty
        icon={<CircleAlert size={24} aria-hidden />}
        title={outdated ? t.app.outdated : t.app.loadFailed}
        help={outdated ? t.app.outdatedHelp : t.app.unreachable}
        action={
          <Button
            icon={<RotateCw size={14} aria-hidden />}
            onClick={() => (outdated ? location.reload() : void part.load())}
          >
            {outdated ? t.app.reload : t.app.retry}
          </Button>
        }
      />
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** A thin line on top while the machine is offline, or while Postern itself does not answer. */
function TopLine(): ReactNode {
  const t = useMessages();
  const { connected } = useGateway();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const text = connected === false ? t.app.disconnected : online ? null : t.app.offline;
  return (
    <output className="block">
      {text !== null && (
        <p className="late bg-warning-soft px-3 py-1 text-center text-meta text-warning-text forced-colors:border-b">
          {text}
        </p>
      )}
    </output>
  );
}

/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */
import { memo, useMemo, type ReactNode } from "react";
import { CopyIcon } from "../../../components/ui/copy.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { blocksOf } from "./text-blocks.ts";

/** A model's words: text as it is, and code in a frame. Never markup. */
export const Words = memo(function Words({ text }: { readonly text: string }): ReactNode {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {blocks.map((block, index) =>
        block.kind === "code" ? (
          <CodeBlock key={index} language={block.language} text={block.text} />
        ) : (
          <p key={index} className="whitespace-pre-wrap wrap-anywhere">
            {block.text}
          </p>
        ),
      )}
    </div>
  );
});

function CodeBlock({ language, text }: { readonly language: string; readonly text: string }): ReactNode {
  const t = useMessages();
  const name = language === "" ? t.playground.code : t.playground.codeIn(language);
  return (
    <div className="min-w-0 rounded-md border border-line bg-canvas">
      <div className="flex h-8 items-center justify-between border-b border-line pr-0.5 pl-3 text-meta text-muted">
        <span className="truncate">{language === "" ? t.playground.code : language}</span>
        <CopyIcon text={text} label={t.playground.copyCode} />
      </div>
      <section aria-label={name} tabIndex={0} className="overflow-x-auto px-3 py-2">
        <pre className="font-mono text-meta">{text}</pre>
      </section>
    </div>
  );
}

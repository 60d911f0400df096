import { lexer, type Token, type Tokens } from "marked";
import { Fragment, memo, useMemo, type ReactNode } from "react";
import { CopyIcon } from "../../../components/ui/copy.tsx";
import { useMessages } from "../../../lib/i18n.tsx";

/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */

/**
 * Renders a model's text as Markdown: headings, lists, tables, code. Elements are built from the parsed tree, never
 * from markup: HTML stays text, pictures become links, and links only lead to web pages or mail.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  const blocks = useMemo(() => lexer(text), [text]);
  return (
    <div className="flex min-w-0 flex-col gap-2.5 wrap-anywhere">
      {blocks.map((block, index) => (
        <Block key={index} token={block} />
      ))}
    </div>
  );
});

/** While a response is streamed, all blocks but the last are unchanged. */
const Block = memo(
  function Block({ token }: { readonly token: Token }): ReactNode {
    return drawBlock(token);
  },
  (before, after) => before.token.type === after.token.type && before.token.raw === after.token.raw,
);

function drawBlock(token: Token): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr className="border-line" />;
    case "code":
      return <CodeBlock language={(token as Tokens.Code).lang ?? ""} text={(token as Tokens.Code).text} />;
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      // Headings are lowered below the response's own heading, whatever level the model uses.
      return <h3 className={`font-semibold ${depth < 3 ? "text-lead" : ""}`}>{drawAll(tokens)}</h3>;
    }
    case "blockquote":
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-muted">
          {drawBlocks((token as Tokens.Blockquote).tokens)}
        </blockquote>
      );
    case "list":
      return <List token={token as Tokens.List} />;
    case "table":
      return <Table token={token as Tokens.Table} />;
    case "paragraph":
      return <p className="whitespace-pre-wrap">{drawAll((token as Tokens.Paragraph).tokens)}</p>;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return <span className="whitespace-pre-wrap">{tokens === undefined ? text : drawAll(tokens)}</span>;
    }
    default:
      // HTML, and unknown node types of a later version: shown as source text.
      return <p className="whitespace-pre-wrap">{token.raw.trim()}</p>;
  }
}

const drawBlocks = (tokens: readonly Token[]): ReactNode =>
  tokens.map((token, index) => <Fragment key={index}>{drawBlock(token)}</Fragment>);

const drawAll = (tokens: readonly Token[]): ReactNode =>
  tokens.map((token, index) => <Fragment key={index}>{drawInline(token)}</Fragment>);

function drawInline(token: Token): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong className="font-semibold">{drawAll((token as Tokens.Strong).tokens)}</strong>;
    case "em":
      return <em>{drawAll((token as Tokens.Em).tokens)}</em>;
    case "del":
      return <del>{drawAll((token as Tokens.Del).tokens)}</del>;
    case "br":
      return <br />;
    case "codespan":
      return (
        <code className="rounded-sm bg-pressed px-1 font-mono text-meta forced-colors:border">
          {(token as Tokens.Codespan).text}
        </code>
      );
    case "link":
      return <Link href={(token as Tokens.Link).href}>{drawAll((token as Tokens.Link).tokens)}</Link>;
    case "image": {
      const { href, text } = token as Tokens.Image;
      return <Link href={href}>{text === "" ? href : text}</Link>;
    }
    case "checkbox":
      return (token as Tokens.Checkbox).checked ? "☑ " : "☐ ";
    case "escape":
      return (token as Tokens.Escape).text;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? text : drawAll(tokens);
    }
    default:
      return token.raw;
  }
}

/** Shows only the text of a link that is neither a web page nor mail. */
function Link({ href, children }: { readonly href: string; readonly children: ReactNode }): ReactNode {
  if (!isSafe(href)) return children;
  return (
    <a href={href} title={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

function isSafe(href: string): boolean {
  try {
    return ["http:", "https:", "mailto:"].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}

function List({ token: { ordered, start, items } }: { readonly token: Tokens.List }): ReactNode {
  const drawn = items.map((item, index) => (
    <li key={index} className="pl-0.5 [&>*+*]:mt-1.5">
      {item.tokens.map((token, part) => (
        <Fragment key={part}>{token.type === "checkbox" ? drawInline(token) : drawBlock(token)}</Fragment>
      ))}
    </li>
  ));
  const look = "flex flex-col gap-1 pl-5";
  if (!ordered) return <ul className={`${look} list-disc`}>{drawn}</ul>;
  return (
    <ol start={start === "" ? 1 : start} className={`${look} list-decimal`}>
      {drawn}
    </ol>
  );
}

function Table({ token: { header, rows } }: { readonly token: Tokens.Table }): ReactNode {
  const t = useMessages();
  const cell = "border-b border-line px-2.5 py-1 text-left align-top";
  return (
    <section aria-label={t.playground.table} tabIndex={0} className="max-w-full overflow-x-auto">
      <table className="border-collapse">
        <thead>
          <tr>
            {header.map(({ tokens }, index) => (
              <th key={index} scope="col" className={`${cell} font-medium`}>
                {drawAll(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map(({ tokens }, column) => (
                <td key={column} className={cell}>
                  {drawAll(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function CodeBlock({ language, text }: { readonly language: string; readonly text: string }): ReactNode {
  const t = useMessages();
  const [name = ""] = language.split(/\s/);
  return (
    <div className="min-w-0 rounded-md border border-line bg-canvas">
      <div className="flex h-8 items-center justify-between border-b border-line pr-0.5 pl-3 text-meta text-muted">
        <span className="truncate">{name === "" ? t.playground.code : name}</span>
        <CopyIcon text={text} label={t.playground.copyCode} />
      </div>
      <section
        aria-label={name === "" ? t.playground.code : t.playground.codeIn(name)}
        tabIndex={0}
        className="overflow-x-auto px-3 py-2"
      >
        <pre className="font-mono text-meta [overflow-wrap:normal]">{text}</pre>
      </section>
    </div>
  );
}

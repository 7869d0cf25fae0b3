// Renders the guide for submitters from Markdown, with the structure that the other documents of the service have.

import { Html, html } from './html';

export interface RenderedGuide {
  readonly title: string;
  readonly chapters: readonly GuideChapter[];
  /** The text after the title. */
  readonly body: Html;
}

interface GuideChapter {
  readonly id: string;
  readonly title: string;
}

/** `text` begins with its title. `base` is the path prefix of the service. HTML in the text is shown as text. */
export async function renderGuide(text: string, base: string): Promise<RenderedGuide> {
  const [, title = '', rest = ''] = /^# (.*)\n([^]*)$/.exec(text.trimStart()) ?? [];
  // Loaded with the first request for the page.
  const { default: MarkdownIt } = await import('markdown-it');
  const markdown = new MarkdownIt({ html: false });
  const chapters: GuideChapter[] = [];
  Object.assign(markdown.renderer.rules, createRules(chapters, base));
  // Rendering also fills the list of chapters.
  const body = new Html(markdown.render(rest));
  return { title, chapters, body };
}

/** The members of a markdown-it token that the rules read. */
interface GuideToken {
  readonly tag: string;
  readonly content: string;
  readonly info: string;
}

const NO_TOKEN: GuideToken = { tag: '', content: '', info: '' };

type GuideRule = (tokens: readonly GuideToken[], index: number) => string;

/** Headings get the anchors that GitHub gives them, and tables a box to scroll in. Adds each chapter to `chapters`. */
function createRules(chapters: GuideChapter[], base: string): Readonly<Record<string, GuideRule>> {
  let heading = '';
  return {
    heading_open: (tokens, index) => {
      const { tag } = tokens[index] ?? NO_TOKEN;
      heading = tokens[index + 1]?.content ?? '';
      const id = toAnchor(heading);
      if (tag === 'h2') chapters.push({ id, title: heading });
      return `<${tag} id="${escape(id)}">`;
    },
    table_open: () => `<div class="table" tabindex="0" role="region" aria-label="${escape(heading)}"><table>`,
    table_close: () => '</table></div>',
    th_open: () => '<th scope="col">',
    code_inline: (tokens, index) => codeHtml(tokens[index]?.content ?? '', base).text,
    fence: (tokens, index) => {
      const { info, content } = tokens[index] ?? NO_TOKEN;
      const name = info.split(' ')[1];
      const caption = name === undefined ? '' : html`<p><code>${name}</code>:</p>`;
      return html`${caption}
        <pre tabindex="0"><code>${content}</code></pre>`.text;
    },
  };
}

/** A tag that is closed elsewhere is not complete HTML, so it is written as text. */
function escape(text: string): string {
  return html`${text}`.text;
}

/** Links `/submit`. The guide shows it as code, because the guide is also read outside of a service. */
function codeHtml(content: string, base: string): Html {
  const code = html`<code>${content}</code>`;
  return content === '/submit' ? html`<a href="${base}/submit">${code}</a>` : code;
}

/** Lower case, without punctuation, with hyphens for spaces. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

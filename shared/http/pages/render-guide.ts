// Renders the guide for submitters from Markdown, with the same structure as the other documents of the service.

import { Html, html } from './html';

export interface RenderedGuide {
  readonly title: string;
  readonly chapters: readonly GuideChapter[];
  /** The content after the title. */
  readonly body: Html;
}

interface GuideChapter {
  readonly id: string;
  readonly title: string;
}

/** `text` must start with its title. `base` is the path prefix of the service. HTML in `text` is shown as text. */
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

/**
 * Creates rules that give headings the anchors that GitHub gives them, and put tables in a box that scrolls. Rendering
 * with these rules adds each chapter to `chapters`.
 */
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

/**
 * Escapes text for a tag that is written as a string. The `html` template cannot write the tag, because it takes only
 * complete HTML and the tag is closed elsewhere.
 */
function escape(text: string): string {
  return html`${text}`.text;
}

/**
 * Turns `/submit` into a link. The guide itself shows it as code, because people also read the guide outside of a
 * service.
 */
function codeHtml(content: string, base: string): Html {
  const code = html`<code>${content}</code>`;
  return content === '/submit' ? html`<a href="${base}/submit">${code}</a>` : code;
}

/** Converts to lower case, removes punctuation, and replaces spaces with hyphens. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

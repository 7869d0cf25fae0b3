// Renders the guide for submitters from Markdown, with the structure that the other documents of the service have.

import MarkdownIt from 'markdown-it';
import { Html, html } from './html';

export interface RenderedGuide {
  readonly title: string;
  readonly chapters: readonly GuideChapter[];
  /** What follows the title. */
  readonly body: Html;
}

interface GuideChapter {
  readonly id: string;
  readonly title: string;
}

/** `text` begins with its title. `base` is the path prefix of the service. HTML in the text is shown as text. */
export function renderGuide(text: string, base: string): RenderedGuide {
  const [, title = '', rest = ''] = /^# (.*)\n([^]*)$/.exec(text.trimStart()) ?? [];
  const markdown = new MarkdownIt({ html: false });
  const chapters = addRules(markdown, base);
  // Rendering collects the chapters.
  const body = new Html(markdown.render(rest));
  return { title, chapters, body };
}

/** Headings get the anchors that GitHub gives them, and tables a box to scroll in. Returns the list of chapters. */
function addRules(markdown: MarkdownIt, base: string): readonly GuideChapter[] {
  const chapters: GuideChapter[] = [];
  const { rules } = markdown.renderer;
  let heading = '';
  rules['heading_open'] = (tokens, index) => {
    const tag = tokens[index]?.tag ?? '';
    heading = tokens[index + 1]?.content ?? '';
    const id = toAnchor(heading);
    if (tag === 'h2') chapters.push({ id, title: heading });
    return html`<${new Html(tag)} id="${id}"></${new Html(tag)}>`.text;
  };
  rules['table_open'] = () =>
    html`<div class="table" tabindex="0" role="region" aria-label="${heading}"><table></table></div>`.text;
  rules['table_close'] = () => '</table></div>';
  rules['th_open'] = () => '<th scope="col">';
  rules.code_inline = (tokens, index) => codeHtml(tokens[index]?.content ?? '', base).text;
  rules.fence = (tokens, index) => {
    const { info, content } = tokens[index] ?? { info: '', content: '' };
    const name = info.split(' ')[1];
    const caption = name === undefined ? '' : html`<p><code>${name}</code>:</p>`;
    return html`${caption}
      <pre tabindex="0"><code>${content}</code></pre>`.text;
  };
  return chapters;
}

/** The page for submitters is named as code, because the guide is also read where there is no service. */
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

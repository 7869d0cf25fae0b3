// Recognizes names of files in a submission's folder or in the inbox, such as markers and files that operating systems
// add (D75).

/** Files and folders that operating systems and office programs add. They are skipped silently. */
const JUNK_NAME =
  /^(?:\._.*|\.DS_Store|__MACOSX|Thumbs\.db|ehthumbs\.db|desktop\.ini|~\$.*|\.~lock\..*#|\.Trashes|\.Spotlight-V100|\.fseventsd|\$RECYCLE\.BIN|System Volume Information|lost\+found)$/i;

/** `READY` with any extension, or `submission.json` with an extension that the operating system may hide. */
const MARKER_NAME = /^(?:submission\.json(?:\.txt)?|ready(?:\.[a-z0-9]{1,5})?)$/i;

const READY_NAME = /^ready(?:\.[a-z0-9]{1,5})?$/i;

const ARCHIVE_NAME = /\.(?:zip|7z|rar|tar|tgz|gz|bz2|xz|zst)$/i;

const WORKBOOK_NAME = /\.(?:xlsx|xlsm|xlsb|xls|ods|numbers)$/i;

export function isJunk(name: string): boolean {
  return JUNK_NAME.test(name);
}

/** Whether a file with this name marks a submission as complete. */
export function isMarker(name: string): boolean {
  return MARKER_NAME.test(name);
}

/** Whether a file is only a marker, so that its content is not read. */
export function isReadyFile(name: string): boolean {
  return READY_NAME.test(name);
}

export function isArchive(name: string): boolean {
  return ARCHIVE_NAME.test(name);
}

export function isWorkbook(name: string): boolean {
  return WORKBOOK_NAME.test(name);
}

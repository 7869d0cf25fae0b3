// The input of a build, and the writers that the steps of a build share.

import { join } from 'node:path';
import type { DataStatement } from '../../shared/store/catalog-types';
import { TextFile } from '../../shared/store/text-file';
import type { LoadProgress } from '../stage/progress';
import { SourceTextWriter } from '../stage/source-text';
import { ColumnFile } from './column-file';
import { IndexWriter } from './index-writer';
import { ReleaseDigest } from './release-digests';
import { type ReleaseInput } from './release-lookups';
import { type ReleaseObserver } from './release-observer';

export interface BuildInput extends ReleaseInput {
  readonly statement: DataStatement;
  readonly observer: ReleaseObserver;
  readonly progress: LoadProgress;
}

/** The writers that the steps of one build share. */
export interface ReleaseParts {
  readonly index: IndexWriter;
  readonly sources: SourceTextWriter;
  /**
   * The text of each place that records repeat, keyed by rank. Rights may refer to millions of sites in any order (ADR
   * 0053).
   */
  readonly placeTexts: TextFile;
  readonly digest: ReleaseDigest;
  readonly keyHashes: ColumnFile;
}

export function openReleaseParts(input: BuildInput): ReleaseParts {
  const { staged, organization, statement, staging, writer } = input;
  const { folder } = staging;
  return {
    index: new IndexWriter(input),
    sources: new SourceTextWriter(writer),
    placeTexts: new TextFile(join(folder, 'places')),
    digest: new ReleaseDigest({ dataSet: staged.definition.kind, organization, statement }),
    keyHashes: new ColumnFile(join(folder, 'key-hashes'), Uint32Array),
  };
}

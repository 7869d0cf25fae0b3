import type { VNode } from 'preact';
import type { ViewProps } from './view-props';

export function ChartView({ session }: ViewProps): VNode {
  return <p class="soft">{session.state.value.kind}</p>;
}

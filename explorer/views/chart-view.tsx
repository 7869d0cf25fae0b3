import type { VNode } from 'preact';
import type { ViewProps } from './explorer';

export function ChartView({ session }: ViewProps): VNode {
  return <p class="soft">{session.state.value.kind}</p>;
}

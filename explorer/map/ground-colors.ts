// The colors of the base map, for light and dark pages.

import type { Theme } from './shades';

/** Colors of the layers below the data, and of rings (`paper` and `ink`). `neighbor` is for neighboring countries. */
const LIGHT = {
  theme: 'light',
  water: '#c9dfec',
  river: '#8fbbd6',
  waterName: '#2b6a91',
  land: '#f8f6f1',
  neighbor: '#e9e7e0',
  border: '#9c9f98',
  county: '#d8d6cd',
  name: '#6b7078',
  town: '#2f363d',
  paper: '#ffffff',
  ink: '#16242c',
} as const;

export type GroundColors = Readonly<Record<Exclude<keyof typeof LIGHT, 'theme'>, string>> & { readonly theme: Theme };

const DARK: GroundColors = {
  theme: 'dark',
  water: '#0c1a24',
  river: '#2f5d7c',
  waterName: '#8fbbd9',
  land: '#17232b',
  neighbor: '#111b22',
  border: '#5d6f7b',
  county: '#2e3e49',
  name: '#93a2ad',
  town: '#d6dee4',
  paper: '#0f1a21',
  ink: '#f1f5f8',
};

export function getGroundColors(isDark: boolean): GroundColors {
  return isDark ? DARK : LIGHT;
}

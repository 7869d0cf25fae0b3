// The colors of the base map, for light and dark pages.

/** Colors below the data. Neighbors are neighboring countries. Paper and ink are for rings. */
const LIGHT = {
  water: '#c9dfec',
  river: '#8fbbd6',
  land: '#f6f4ee',
  neighbor: '#e9e7e0',
  border: '#9c9f98',
  county: '#d8d6cd',
  name: '#6b7078',
  town: '#2f363d',
  paper: '#ffffff',
  ink: '#16242c',
};

export type GroundColors = Readonly<Record<keyof typeof LIGHT, string>>;

const DARK: GroundColors = {
  water: '#0c1a24',
  river: '#2f5d7c',
  land: '#1c2a33',
  neighbor: '#15212a',
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

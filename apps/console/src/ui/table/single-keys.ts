/**
 * Whether shortcuts of a single key are on in this browser. They can be switched off (WCAG 2.1.4), because speech input
 * and trembling hands press keys by accident.
 */
const key = 'roomkeeper.single-keys'

export function singleKeysAreOn(): boolean {
  return localStorage.getItem(key) !== 'off'
}

export function switchSingleKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(key)
  else localStorage.setItem(key, 'off')
}

/** Paper is white: a dark page is printed in the light scheme. */
export function startLightOnPaper(): void {
  const { dataset } = document.documentElement
  let shown: string | undefined
  addEventListener('beforeprint', () => {
    shown ??= dataset.mantineColorScheme
    dataset.mantineColorScheme = 'light'
  })
  addEventListener('afterprint', () => {
    if (shown !== undefined) dataset.mantineColorScheme = shown
    shown = undefined
  })
}

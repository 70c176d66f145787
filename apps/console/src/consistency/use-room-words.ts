import { useTranslation } from 'react-i18next'

/** What regions call a room's state. */
const statesOfRegions: Readonly<Record<string, string>> = { active: 'DEFAULT', suspended: 'SUSPENDED' }

/** @returns functions that say a room's state, and its product with its edition, as the list of rooms does. */
export function useRoomWords() {
  const { t, i18n } = useTranslation('rooms')
  const known = (key: string, otherwise: string) =>
    i18n.exists(`rooms:${key}`) ? t(key as 'states.DEFAULT') : otherwise
  return {
    state: (code: string) => known(`states.${statesOfRegions[code] ?? code}`, code),
    product(codes: string) {
      const [product = '', edition = '', ...more] = codes.split(' ')
      if (more.length > 0 || !i18n.exists(`rooms:editions.${edition}`)) return codes
      return `${known(`products.${product}`, product)} ${known(`editions.${edition}`, edition)}`
    },
    unlimited: t('unlimited'),
  }
}

/** Tells webhooks what has become of rooms, for every feature that changes them. */
export { tellOfRoom, tellOfRooms } from './tell-of-room.ts'

export function countOfRooms(count: number): string {
  return count === 1 ? '1 project room' : `${count} project rooms`
}

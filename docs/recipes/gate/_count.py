"""The program that counts what needs no statistics; `smoothing` has nothing to count."""

print('{"counters": {}, "refused": {}}')

"""AES-256 encryption of a PDF: security handler of version 5, revision 6 (ISO 32000-2, 7.6.4).

Everything that is random elsewhere is derived here, so that the same document gives the same bytes:

- The file key and the salts come from the passwords and the file's id, by way of the slow hash that the
  standard prescribes for passwords. Whoever does not know the passwords can do no better than to guess them,
  at the same price per guess as against the standard's own entries in the file.
- The initialization vector of a string or stream is a keyed hash (HMAC) of its content. It cannot be foreseen
  without the key, and two vectors are the same only if the contents are: all that a repetition shows is that
  the same thing was encrypted twice, even when two documents share passwords and id.
"""

from __future__ import annotations

import hashlib
import hmac

from cryptography.hazmat.primitives.ciphers import Cipher as BlockCipher
from cryptography.hazmat.primitives.ciphers import modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES

from templates_app.passwords import prepared
from templates_app.resolved import Protection

_ZERO = bytes(16)
_HASHES = (hashlib.sha256, hashlib.sha384, hashlib.sha512)
# Permissions (table 22), by bit value. All bits that are reserved are set; 10 is obsolete and set as well,
# so that programs that read to the blind are not shut out.
_PRINT, _CHANGE, _COPY, _ANNOTATE = 4, 8, 16, 32
_FILL, _ASSEMBLE, _PRINT_FINE = 256, 1024, 2048
_RESERVED = 0xFFFFFFFC & ~(_PRINT | _CHANGE | _COPY | _ANNOTATE | _FILL | _ASSEMBLE | _PRINT_FINE)


class Cipher:
    """Encrypts strings and streams of one file and writes its encryption dictionary."""

    def __init__(self, protection: Protection, file_id: bytes) -> None:
        """Derive the keys. Without an owner's password nobody has the owner's rights."""
        user, owner = prepared(protection.user_password), prepared(protection.owner_password)
        seed = hmac.digest(slow_hash(owner, file_id[:8], user), b"file" + file_id + user, "sha256")
        self._key = _derive(seed, b"file key")
        self._vector_key = _derive(seed, b"vectors")
        # An empty owner's password would open the file to everybody, and with all rights.
        owner = owner or _derive(seed, b"owner").hex().encode()
        self._user, self._user_key = self._entries(user, seed, b"user", b"")
        self._owner, self._owner_key = self._entries(owner, seed, b"owner", self._user)
        self._permissions = permissions(protection)
        block = (self._permissions & 0xFFFFFFFF).to_bytes(4, "little") + b"\xff\xff\xff\xffTadb"
        self._perms = _aes(self._key, _ZERO, block + _derive(seed, b"perms")[:4])

    def encrypt(self, data: bytes) -> bytes:
        """Return initialization vector and encrypted data, padded to whole blocks of 16 bytes."""
        vector = hmac.digest(self._vector_key, data, "sha256")[:16]
        fill = 16 - len(data) % 16
        return vector + _aes(self._key, vector, data + bytes([fill]) * fill)

    def dictionary(self) -> str:
        """Return the code of the encryption dictionary."""
        strings = {
            "U": self._user,
            "UE": self._user_key,
            "O": self._owner,
            "OE": self._owner_key,
            "Perms": self._perms,
        }
        return (
            "<</Filter/Standard/V 5/R 6/Length 256/CF<</StdCF<</Type/CryptFilter/CFM/AESV3/AuthEvent/DocOpen"
            f"/Length 32>>>>/StmF/StdCF/StrF/StdCF/EncryptMetadata true/P {self._permissions}"
            + "".join(f"/{name}<{value.hex()}>" for name, value in strings.items())
            + ">>"
        )

    def _entries(self, secret: bytes, seed: bytes, whose: bytes, user: bytes) -> tuple[bytes, bytes]:
        """Return what checks a password (48 bytes), and the file key encrypted with it (algorithms 8, 9)."""
        salts = _derive(seed, whose + b" salts")
        check, key = salts[:8], salts[8:16]
        checked = slow_hash(secret, check, user) + check + key
        return checked, _aes(slow_hash(secret, key, user), _ZERO, self._key)


def permissions(protection: Protection) -> int:
    """Return the permission bits as the signed number of the file."""
    allowed = _RESERVED
    if protection.allow_print:
        allowed |= _PRINT | _PRINT_FINE
    if protection.allow_copy:
        allowed |= _COPY
    if protection.allow_change:
        allowed |= _CHANGE | _ANNOTATE | _FILL | _ASSEMBLE
    return allowed - (1 << 32)


def slow_hash(secret: bytes, salt: bytes, user: bytes) -> bytes:
    """Return the 32 bytes of algorithm 2.B for a password; `user` is empty or the user's entry."""
    key = hashlib.sha256(secret + salt + user).digest()
    number = 0
    while True:
        block = _aes(key[:16], key[16:32], (secret + key + user) * 64)
        # The first 16 bytes as a number modulo 3; 256 is 1 modulo 3, so that the sum of the bytes will do.
        key = _HASHES[sum(block[:16]) % 3](block).digest()
        number += 1
        if number >= 64 and block[-1] <= number - 32:
            return key[:32]


def _derive(seed: bytes, what: bytes) -> bytes:
    return hmac.digest(seed, what, "sha256")


def _aes(key: bytes, vector: bytes, data: bytes) -> bytes:
    """Encrypt whole blocks with AES in CBC mode, without padding."""
    encryptor = BlockCipher(AES(key), modes.CBC(vector)).encryptor()
    return encryptor.update(data) + encryptor.finalize()
